import { type Access, requireMatch, roleOf, ruleId } from '../../model/access.ts'
import type { WorldData } from '../../model/worldData.ts'
import type { AclRule, AclRuleBody } from '../../schema/aclRule.ts'
import { apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import { ROLES, type Role, SCOPE_TYPES, type ScopeType } from '../../schema/roles.ts'
import { addressOf } from '../../schema/values/address.ts'
import { mergePatch } from '../../schema/values/json.ts'
import { closePage, collectionEtag, listByLastChange, openPage, type PageQuery } from '../../sync/paging.ts'
import { removeEntries } from '../calendarListEntry.ts'
import type { UpdateMode } from '../endpoint.ts'

type Scope = AclRule['scope']
type Grant = { scope: Scope; role: Role }

/** Makes the data owner of a secondary calendar its owner, by a stored rule (behaviour 15.6.1). */
export const addOwnerRule = (world: WorldData, calendarId: string, dataOwner: string): AclRule =>
  addRule(world, calendarId, { scope: { type: 'user', value: dataOwner }, role: 'owner' })

/** Writes a rule without checking the caller. An account that loses its last role loses the calendar from its list. */
export function addRule(world: WorldData, calendarId: string, { scope, role }: Grant): AclRule {
  const id = ruleId(scope.type, scope.value)
  const rules = world.acl.of(calendarId)
  const current = rules.get(id)
  if (current?.role === role) return current
  const stamp = (revision: number) => ({ kind: 'calendar#aclRule' as const, etag: ruleEtag(revision), id, scope, role })
  const rule = rules.put(id, stamp)
  if (role === 'none') removeEntries(world, calendarId, (email) => roleOf(world, calendarId, { email }) === 'none')
  return rule
}

const ruleEtag = (revision: number): string => `"${String(revision).padStart(20, '0')}"`

/** The address that replies show for the public scope (behaviour 3.6.1). */
const PUBLIC = '__public_principal__@public.calendar.google.com'
const showRule = (rule: AclRule): AclRule =>
  rule.scope.type === 'default' ? { ...rule, scope: { type: 'default', value: PUBLIC } } : rule

type RuleQuery = PageQuery & { showDeleted?: boolean | undefined }

/** Includes removed rules in a sync or with `showDeleted`. Throws 400 and 410 for bad tokens. */
export function listRules({ world, calendar, caller }: Access, params: RuleQuery) {
  const rules = world.acl.of(calendar.id)
  const tokens = {
    list: ['acl', calendar.id],
    account: caller.email,
    form: 'digits' as const,
    checkParams({ showDeleted }: RuleQuery) {
      if (showDeleted === false) throw apiError('syncTokenWith', { location: 'showDeleted' })
    },
  }
  const page = openPage(world, tokens, params)
  const removedToo = page.cursor.since > 0 || page.query.showDeleted
  const show = (rule: AclRule) => (rule.role !== 'none' || removedToo ? showRule(rule) : undefined)
  const { items, ...next } = closePage(world, tokens, page, listByLastChange(world, rules, page, show))
  return { kind: 'calendar#acl', etag: collectionEtag(rules.latest), ...next, items }
}

export const getRule = (access: Access, id: string): AclRule => showRule(storedRule(access, id))

const RULE_ID = /^(?:default|(?:user|group|domain):.+)$/

/** Throws 400 if the id is malformed (behaviour 3.6.5), and 404 if the rule was removed. */
function storedRule({ world, calendar }: Access, id: string): AclRule {
  if (!RULE_ID.test(id)) throw apiError('invalidId', { field: 'ruleId', value: id })
  const rule = world.acl.of(calendar.id).get(addressOf(id))
  return rule && rule.role !== 'none' ? rule : throwApiError('notFound')
}

/** Throws 400 for an invalid rule and 403 as `writeRule` does (behaviour 3.6.3). */
export const insertRule = (access: Access, { role, scope }: AclRuleBody): AclRule =>
  writeRule(access, readRule({ role, scope }))

export function readRule({ role, scope }: AclRuleBody): Grant {
  const { type, value } = scope ?? {}
  const requested = {
    scope: requireScope(type || throwApiError('missingField', { field: 'scope type' }), value),
    role: parseRole(role),
  }
  if (type === 'default' && (requested.role === 'owner' || requested.role.startsWith('writer')))
    throw apiError('illegalAccessRoleForDefault')
  return requested
}

/** Throws 400 for an invalid body or another scope, 404 for a missing rule, 412 for an outdated etag, and 403. */
export function updateRule(
  access: Access,
  id: string,
  { body, ifMatch, how }: { body: AclRuleBody; ifMatch: string | undefined; how: UpdateMode },
): AclRule {
  const rule = storedRule(access, id)
  requireMatch(rule.etag, ifMatch)
  const requested = readRule(how === 'patch' ? mergePatch({ scope: rule.scope, role: rule.role }, body) : body)
  if (ruleId(requested.scope.type, requested.scope.value) !== rule.id)
    throwInvalidValue('scope', 'the scope of a rule cannot be changed')
  return requested.role === rule.role ? showRule(rule) : writeRule(access, requested)
}

export function deleteRule(access: Access, id: string, ifMatch: string | undefined): void {
  const rule = storedRule(access, id)
  requireMatch(rule.etag, ifMatch)
  writeRule(access, { scope: rule.scope, role: 'none' })
}

/** The service drops words that it does not know, so that they are missing (behaviour 3.6.3). */
function parseRole(role: string | null | undefined): Role {
  return ROLES.find((one) => one === role) ?? throwApiError('missingField', { field: 'role' })
}

/** In characters (RFC 5321, 4.5.3.1): 64 before the sign, 255 after it. */
const MAX_ADDRESS_LENGTH = 320

function requireScope(type: string, value: string | null | undefined): Scope {
  const known: ScopeType =
    SCOPE_TYPES.find((one) => one === type) ?? throwApiError('missingField', { field: 'scope type' })
  if (known === 'default') return { type: known }
  const form = known === 'domain' ? /^[^\s@]+\.[^\s@]+$/ : /^[^\s@]+@[^\s@]+\.[^\s@]+$/
  if (!value || value.length > MAX_ADDRESS_LENGTH || !form.test(value))
    throw apiError('invalidScopeValue', { field: 'scope.value', value: value ?? '', type })
  return { type: known, value: addressOf(value) }
}

/** Throws 403 for the caller's own role, the data owner's, and the last owner's (behaviour 15.7). */
function writeRule({ world, calendar, caller }: Access, { scope, role }: Grant): AclRule {
  const { id } = calendar
  if (scope.type === 'user') {
    if (scope.value === caller.email) throw apiError('cannotChangeOwnAcl')
    if (scope.value === id) throw apiError('cannotChangeOwnerAcl')
    if (scope.value === calendar.dataOwner) throw apiError('cannotModifyAclOfCalendarOwner')
  }
  const current = world.acl.of(id).get(ruleId(scope.type, scope.value))
  if (role === 'none' && (!current || current.role === 'none')) throw apiError('notFound')
  if (current?.role === 'owner' && role !== 'owner' && isLastOwner(world, current, id))
    throw apiError('cannotRemoveLastCalendarOwnerFromAcl')
  return showRule(addRule(world, id, { scope, role }))
}

const isLastOwner = (world: WorldData, rule: AclRule, calendarId: string): boolean =>
  ![...world.acl.of(calendarId).values()].some(
    (other) => other.role === 'owner' && other.id !== rule.id && other.scope.value !== calendarId,
  )
