import type { Access } from '../../model/access.ts'
import { mailRule } from '../../model/mail.ts'
import type { AclRule, AclRuleBody } from '../../schema/aclRule.ts'
import { COUNT, FLAG, PATH, SYNC_PAGING } from '../../schema/params.ts'
import { ACL_GET, ACL_LIST, ACL_WRITE } from '../../schema/scopes.ts'
import { watchOf } from '../channels/watch.ts'
import { endpoint } from '../endpoint.ts'
import { deleteRule, getRule, insertRule, listRules, updateRule } from './rules.ts'

const COLLECTION = '/calendars/{calendarId}/acl'
const RULE = `${COLLECTION}/{ruleId}` as const
const ruleParams = { calendarId: PATH, ruleId: PATH } as const
const listParams = { calendarId: PATH, ...SYNC_PAGING, maxResults: COUNT, showDeleted: FLAG } as const

type Sharing = Pick<Access, 'world' | 'calendar' | 'caller'> & { params: { sendNotifications?: boolean | undefined } }

/** Writes a rule and mails its scope, unless nothing changed or `sendNotifications` is false (behaviour 7.5). */
function writeAndNotify({ world, calendar, caller, params }: Sharing, write: () => AclRule): AclRule {
  const rules = world.acl.of(calendar.id)
  const before = rules.latest
  const rule = write()
  if (rules.latest !== before && params.sendNotifications !== false) mailRule(world, calendar, caller, rule)
  return rule
}

type Update = Sharing & { params: { ruleId: string }; body: AclRuleBody; ifMatch: string | undefined }

const updateFromBody = ({ world, calendar, caller, params, body, ifMatch }: Update, how: 'patch' | 'update'): AclRule =>
  updateRule(world, calendar, caller, { id: params.ruleId, body, ifMatch, how })

const list = endpoint({
  id: 'calendar.acl.list',
  verb: 'GET',
  path: COLLECTION,
  summary: 'Returns the rules in the access control list for the calendar.',
  scopes: ACL_LIST,
  role: 'writer',
  params: listParams,
  response: 'Acl',
  subscription: true,
  handle: ({ world, calendar, caller, params }) => listRules(world, calendar, caller, params),
})

export const acl = [
  endpoint({
    id: 'calendar.acl.delete',
    verb: 'DELETE',
    path: RULE,
    summary: 'Deletes an access control rule.',
    scopes: ACL_WRITE,
    role: 'owner',
    params: ruleParams,
    handle: ({ world, calendar, caller, params, ifMatch }) =>
      deleteRule(world, calendar, caller, params.ruleId, ifMatch),
  }),
  endpoint({
    id: 'calendar.acl.get',
    verb: 'GET',
    path: RULE,
    summary: 'Returns an access control rule.',
    scopes: ACL_GET,
    role: 'writer',
    params: ruleParams,
    response: 'AclRule',
    handle: ({ world, calendar, params }) => getRule(world, calendar, params.ruleId),
  }),
  endpoint({
    id: 'calendar.acl.insert',
    verb: 'POST',
    path: COLLECTION,
    summary: 'Creates an access control rule.',
    scopes: ACL_WRITE,
    role: 'owner',
    params: { calendarId: PATH, sendNotifications: FLAG },
    request: 'AclRule',
    response: 'AclRule',
    handle: (call) => writeAndNotify(call, () => insertRule(call.world, call.calendar, call.caller, call.body)),
  }),
  list,
  endpoint({
    id: 'calendar.acl.patch',
    verb: 'PATCH',
    path: RULE,
    summary: 'Updates an access control rule. This method supports patch semantics.',
    scopes: ACL_WRITE,
    role: 'owner',
    params: { ...ruleParams, sendNotifications: FLAG },
    request: 'AclRule',
    response: 'AclRule',
    handle: (call) => writeAndNotify(call, () => updateFromBody(call, 'patch')),
  }),
  endpoint({
    id: 'calendar.acl.update',
    verb: 'PUT',
    path: RULE,
    summary: 'Updates an access control rule.',
    scopes: ACL_WRITE,
    role: 'owner',
    params: { ...ruleParams, sendNotifications: FLAG },
    request: 'AclRule',
    response: 'AclRule',
    handle: (call) => writeAndNotify(call, () => updateFromBody(call, 'update')),
  }),
  watchOf(list, 'acl', 'Watches for changes to access control rules.'),
]
