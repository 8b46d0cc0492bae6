import { collectionEtag, type PageQuery, page } from '../../sync/paging.ts'
import { listName } from '../../sync/tokens.ts'
import type { AclRule, AclRuleBody } from '../../wire/aclRule.ts'
import { refuse } from '../../wire/refusals.ts'
import { ROLES, type Role, SCOPE_TYPES, type ScopeType } from '../../wire/roles.ts'
import { addressOf } from '../../wire/values/address.ts'
import { merged } from '../../wire/values/merge.ts'
import { requireMatch, roleOf, ruleId } from '../../world/access.ts'
import type { Caller, StoredCalendar, World } from '../../world/world.ts'
import { removeEntries } from '../calendarList/entry.ts'

type Scope = AclRule['scope']

/** The etag of the owner's rule, which comes into being with the calendar and not by a write (behaviour 15.6). */
const NEVER_WRITTEN = `"${'0'.repeat(20)}"`

export function addOwnerRule(world: World, calendarId: string, owner: string): void {
  const id = ruleId('user', owner)
  const rule: AclRule = {
    kind: 'calendar#aclRule',
    etag: NEVER_WRITTEN,
    id,
    scope: { type: 'user', value: owner },
    role: 'owner',
  }
  world.acl.of(calendarId).restore(id, rule, 0)
}

/** A secondary calendar owns itself, and its maker owns it by a rule that was written (behaviour 15.6.1). */
export function addOwnerRules(world: World, calendarId: string, maker: string): void {
  addOwnerRule(world, calendarId, calendarId)
  writeRole(world, calendarId, { scope: { type: 'user', value: maker }, role: 'owner' })
}

const writeRole = (world: World, calendarId: string, { scope, role }: { scope: Scope; role: Role }): AclRule => {
  const id = ruleId(scope.type, scope.value)
  const stamp = (revision: number): AclRule => ({
    kind: 'calendar#aclRule',
    etag: ruleEtag(revision),
    id,
    scope,
    role,
  })
  return world.acl.of(calendarId).put(id, stamp)
}

/** Gives a scope a role without asking who may. Those who lose their last role lose the calendar from their lists. */
export function addRule(world: World, calendarId: string, { scope, role }: { scope: Scope; role: Role }): AclRule {
  const current = world.acl.of(calendarId).get(ruleId(scope.type, scope.value))
  if (current?.role === role) return current
  const rule = writeRole(world, calendarId, { scope, role })
  removeEntries(world, calendarId, (email) => roleOf(world, calendarId, { email }) === 'none')
  return rule
}

const ruleEtag = (revision: number): string => `"${String(revision).padStart(20, '0')}"`

/** The public's scope is shown with an address (behaviour 3.6.1). */
const PUBLIC = '__public_principal__@public.calendar.google.com'
const showRule = (rule: AclRule): AclRule =>
  rule.scope.type === 'default' ? { ...rule, scope: { type: 'default', value: PUBLIC } } : rule

export function listRules(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  query: PageQuery & { showDeleted?: boolean | undefined },
) {
  if (query.syncToken && query.showDeleted === false) refuse('syncTokenWith', { location: 'showDeleted' })
  const rules = world.acl.of(calendar.id)
  const of = { list: listName('acl', calendar.id), account: caller.email, form: 'digits', query } as const
  const shown = page(world, rules, of, (rule, syncing, query) =>
    rule.role !== 'none' || syncing || query.showDeleted ? showRule(rule) : undefined,
  )
  return { kind: 'calendar#acl', etag: collectionEtag(rules.latest), ...shown }
}

export const getRule = (world: World, calendar: StoredCalendar, id: string): AclRule =>
  showRule(storedRule(world, calendar, id))

/** A rule whose role is none has been removed. */
function storedRule(world: World, calendar: StoredCalendar, id: string): AclRule {
  const rule = world.acl.of(calendar.id).get(addressOf(id))
  return rule && rule.role !== 'none' ? rule : refuse('notFound')
}

/** Gives a scope a role; a scope that has one already gets the new one (behaviour 3.6.3). */
export function insertRule(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  { role, scope }: AclRuleBody,
): AclRule {
  return writeRule(world, calendar, caller, readRule({ role, scope }))
}

/** The scope and role of a rule's body, or a refusal of what no rule can be. */
export function readRule({ role, scope }: AclRuleBody): { scope: Scope; role: Role } {
  const { type, value } = scope ?? {}
  const asked = {
    scope: scopeOf(type || refuse('missingField', { field: 'scope type' }), value),
    role: roleNamed(role),
  }
  if (type === 'default' && (asked.role === 'owner' || asked.role.startsWith('writer')))
    refuse('illegalAccessRoleForDefault')
  return asked
}

export function updateRule(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  { id, body, ifMatch, how }: { id: string; body: AclRuleBody; ifMatch: string | undefined; how: 'patch' | 'update' },
): AclRule {
  const rule = storedRule(world, calendar, id)
  requireMatch(rule.etag, ifMatch)
  const asked = readRule(how === 'patch' ? merged({ scope: rule.scope, role: rule.role }, body) : body)
  if (ruleId(asked.scope.type, asked.scope.value) !== rule.id) {
    refuse('invalidValue', { field: 'scope', problem: 'the scope of a rule cannot be changed' })
  }
  return asked.role === rule.role ? showRule(rule) : writeRule(world, calendar, caller, asked)
}

export function deleteRule(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
): void {
  const rule = storedRule(world, calendar, id)
  requireMatch(rule.etag, ifMatch)
  writeRule(world, calendar, caller, { scope: rule.scope, role: 'none' })
}

function roleNamed(role: string | null | undefined): Role {
  if (!role) return refuse('missingField', { field: 'role' })
  return ROLES.find((one) => one === role) ?? refuse('invalidValue', { field: 'role', problem: `no role ${role}` })
}

function scopeOf(type: string, value: string | null | undefined): Scope {
  const known: ScopeType =
    SCOPE_TYPES.find((one) => one === type) ??
    refuse('invalidValue', { field: 'scope.type', problem: `no scope type ${type}` })
  if (known === 'default') return { type: known }
  const form = known === 'domain' ? /^[^\s@]+\.[^\s@]+$/ : /^[^\s@]+@[^\s@]+\.[^\s@]+$/
  if (!value || !form.test(value)) return refuse('invalidScopeValue')
  return { type: known, value: addressOf(value) }
}

/** The owner rules of behaviour 15.7: nobody changes their own role, the data owner's, or takes away the last owner. */
function writeRule(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  { scope, role }: { scope: Scope; role: Role },
): AclRule {
  const { id } = calendar
  if (scope.type === 'user') {
    if (scope.value === caller.email) refuse('cannotChangeOwnAcl')
    if (scope.value === id) refuse('cannotChangeOwnerAcl')
    if (scope.value === calendar.dataOwner) refuse('cannotModifyAclOfCalendarOwner')
  }
  const current = world.acl.of(id).get(ruleId(scope.type, scope.value))
  if (role === 'none' && (!current || current.role === 'none')) refuse('notFound')
  if (current?.role === 'owner' && role !== 'owner' && isLastOwner(world, current, id))
    refuse('cannotRemoveLastCalendarOwnerFromAcl')
  return showRule(addRule(world, id, { scope, role }))
}

const isLastOwner = (world: World, rule: AclRule, calendarId: string): boolean =>
  ![...world.acl.of(calendarId).values()].some(
    (other) => other.role === 'owner' && other.id !== rule.id && other.scope.value !== calendarId,
  )
