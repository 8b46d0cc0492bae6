import { mailRule } from '../../effects/mailbox.ts'
import type { Access } from '../../model/access.ts'
import type { AclRule } from '../../schema/aclRule.ts'
import { COUNT, FLAG, PATH, SYNC_PAGING } from '../../schema/params.ts'
import { ACL_GET, ACL_LIST, ACL_WRITE } from '../../schema/scopes.ts'
import { watchOf } from '../channels/watch.ts'
import { endpoint, updateEndpoints } from '../endpoint.ts'
import { deleteRule, getRule, insertRule, listRules, updateRule } from './rules.ts'

const COLLECTION = '/calendars/{calendarId}/acl'
const RULE = `${COLLECTION}/{ruleId}` as const
const ruleParams = { calendarId: PATH, ruleId: PATH } as const

type Sharing = Access & { params: { sendNotifications?: boolean | undefined } }

/** Writes a rule and mails its scope, unless nothing changed or `sendNotifications` is false (behaviour 7.5). */
function writeAndNotify({ world, calendar, caller, params }: Sharing, write: () => AclRule): AclRule {
  const rules = world.acl.of(calendar.id)
  const before = rules.latest
  const rule = write()
  if (rules.latest !== before && params.sendNotifications !== false) mailRule(world, calendar, caller, rule)
  return rule
}

const list = endpoint({
  id: 'calendar.acl.list',
  path: COLLECTION,
  summary: 'Returns the rules in the access control list for the calendar.',
  scopes: ACL_LIST,
  role: 'writer',
  params: { calendarId: PATH, ...SYNC_PAGING, maxResults: COUNT, showDeleted: FLAG },
  response: 'Acl',
  subscription: true,
  handle: (call) => listRules(call, call.params),
})

export const acl = [
  endpoint({
    id: 'calendar.acl.delete',
    path: RULE,
    summary: 'Deletes an access control rule.',
    scopes: ACL_WRITE,
    role: 'owner',
    params: ruleParams,
    handle: (call) => deleteRule(call, call.params.ruleId, call.ifMatch),
  }),
  endpoint({
    id: 'calendar.acl.get',
    path: RULE,
    summary: 'Returns an access control rule.',
    scopes: ACL_GET,
    role: 'writer',
    params: ruleParams,
    response: 'AclRule',
    handle: (call) => getRule(call, call.params.ruleId),
  }),
  endpoint({
    id: 'calendar.acl.insert',
    path: COLLECTION,
    summary: 'Creates an access control rule.',
    scopes: ACL_WRITE,
    role: 'owner',
    params: { calendarId: PATH, sendNotifications: FLAG },
    request: 'AclRule',
    response: 'AclRule',
    handle: (call) => writeAndNotify(call, () => insertRule(call, call.body)),
  }),
  list,
  ...updateEndpoints(
    'acl',
    'Updates an access control rule.',
    {
      path: RULE,
      scopes: ACL_WRITE,
      role: 'owner',
      params: { ...ruleParams, sendNotifications: FLAG },
      request: 'AclRule',
      response: 'AclRule',
    },
    (how) => (call) => writeAndNotify(call, () => updateRule(call, call.params.ruleId, { ...call, how })),
  ),
  watchOf(list, 'acl', 'Watches for changes to access control rules.'),
]
