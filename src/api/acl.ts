import { endpoint } from '../http/endpoint.ts'
import type { AclRule } from '../wire/aclRule.ts'
import { COUNT, FLAG, PATH, SYNC_PAGING } from '../wire/params.ts'
import { ACL_GET, ACL_LIST, ACL_WRITE } from '../wire/scopes.ts'
import { deleteRule, getRule, insertRule, listRules, updateRule } from '../world/acl.ts'
import { openChannel } from '../world/channels.ts'
import { mailRule } from '../world/mail.ts'
import type { StoredCalendar, World } from '../world/world.ts'

const COLLECTION = '/calendars/{calendarId}/acl'
const RULE = `${COLLECTION}/{ruleId}` as const
const ruleParams = { calendarId: PATH, ruleId: PATH } as const
const listParams = { calendarId: PATH, ...SYNC_PAGING, maxResults: COUNT, showDeleted: FLAG } as const

const noticed = (
  world: World,
  calendar: StoredCalendar,
  params: { sendNotifications?: boolean | undefined },
  rule: AclRule,
) => {
  mailRule(world, calendar, rule, params.sendNotifications)
  return rule
}

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
    handle: ({ world, calendar, caller, params, body }) =>
      noticed(world, calendar, params, insertRule(world, calendar, caller, body)),
  }),
  endpoint({
    id: 'calendar.acl.list',
    verb: 'GET',
    path: COLLECTION,
    summary: 'Returns the rules in the access control list for the calendar.',
    scopes: ACL_LIST,
    role: 'writer',
    params: listParams,
    response: 'Acl',
    subscription: true,
    handle: ({ world, calendar, params }) => listRules(world, calendar, params),
  }),
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
    handle: ({ world, calendar, caller, params, body, ifMatch }) =>
      noticed(
        world,
        calendar,
        params,
        updateRule(world, calendar, caller, { id: params.ruleId, body, ifMatch, how: 'patch' }),
      ),
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
    handle: ({ world, calendar, caller, params, body, ifMatch }) =>
      noticed(
        world,
        calendar,
        params,
        updateRule(world, calendar, caller, { id: params.ruleId, body, ifMatch, how: 'update' }),
      ),
  }),
  endpoint({
    id: 'calendar.acl.watch',
    verb: 'POST',
    path: `${COLLECTION}/watch`,
    summary: 'Watches for changes to access control rules.',
    scopes: ACL_LIST,
    role: 'writer',
    params: listParams,
    request: 'Channel',
    response: 'Channel',
    subscription: true,
    handle: ({ world, calendar, caller, params: { calendarId, ...query }, body }) =>
      openChannel(world, caller, body, { resource: 'acl', calendar, path: `/calendars/${calendarId}/acl`, query }),
  }),
]
