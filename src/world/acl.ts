import type { AclRule, AclRuleBody } from '../wire/aclRule.ts'
import { refuse } from '../wire/refusals.ts'
import { ROLES, type Role, SCOPE_TYPES, type ScopeType } from '../wire/roles.ts'
import { isPrimary, requireMatch, roleOf, ruleId } from './access.ts'
import { removeEntries } from './calendarList.ts'
import { collectionEtag, type PageQuery, page } from './paging.ts'
import { addressOf, type Caller, type StoredCalendar, type World } from './world.ts'

type Scope = AclRule['scope']

/** The rule that makes a calendar somebody's has never been written, as its etag says (behaviour 00). */
const NEVER_WRITTEN = `"${'0'.repeat(20)}"`

export function addRule(world: World, calendarId: string, { scope, role }: { scope: Scope; role: Role }): AclRule {
  const own = scope.value === (world.calendars.get(calendarId)?.dataOwner ?? calendarId)
  return saveRule(world, calendarId, scope, role, own ? () => NEVER_WRITTEN : ruleEtag)
}

const ruleEtag = (revision: number): string => `"${String(revision).padStart(20, '0')}"`

const saveRule = (
  world: World,
  calendarId: string,
  scope: Scope,
  role: Role,
  etag: (revision: number) => string,
): AclRule => {
  const id = ruleId(scope.type, scope.value)
  return world.acl
    .of(calendarId)
    .put(id, (revision) => ({ kind: 'calendar#aclRule', etag: etag(revision), id, scope, role }))
}

/** The public's scope is shown with an address (behaviour 00). */
const PUBLIC = '__public_principal__@public.calendar.google.com'
const showRule = (rule: AclRule): AclRule =>
  rule.scope.type === 'default' ? { ...rule, scope: { type: 'default', value: PUBLIC } } : rule

export function listRules(
  world: World,
  calendar: StoredCalendar,
  query: PageQuery & { showDeleted?: boolean | undefined },
) {
  if (query.syncToken && query.showDeleted === false) refuse('syncTokenWith', { location: 'showDeleted' })
  const rules = world.acl.of(calendar.id)
  const shown = page(world, rules, { list: `acl/${calendar.id}`, form: 'digits', query }, (rule, syncing) =>
    rule.role !== 'none' || syncing || query.showDeleted ? showRule(rule) : undefined,
  )
  return { kind: 'calendar#acl', etag: collectionEtag(rules.latest), ...shown }
}

export const getRule = (world: World, calendar: StoredCalendar, id: string): AclRule =>
  showRule(storedRule(world, calendar, id))

/** A rule whose role is none has been removed. */
function storedRule(world: World, calendar: StoredCalendar, id: string): AclRule {
  const rule = world.acl.of(calendar.id).get(id) ?? world.acl.of(calendar.id).get(id.toLowerCase())
  return rule && rule.role !== 'none' ? rule : refuse('notFound')
}

/** Gives a scope a role; a scope that has one already gets the new one (behaviour 3.6). */
export function insertRule(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  { role, scope }: AclRuleBody,
): AclRule {
  const type = scope?.type ?? refuse('missingField', { field: 'scope type' })
  return writeRule(world, calendar, caller, scopeOf(type, scope?.value), roleNamed(role))
}

export function updateRule(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  { id, body, ifMatch, how }: { id: string; body: AclRuleBody; ifMatch: string | undefined; how: 'patch' | 'update' },
): AclRule {
  const rule = storedRule(world, calendar, id)
  requireMatch(rule.etag, ifMatch)
  if (how === 'update' && !body.scope?.type) refuse('missingField', { field: 'scope type' })
  if (body.scope?.type && ruleId(...namesOf(scopeOf(body.scope.type, body.scope.value))) !== rule.id) {
    refuse('invalidValue', { field: 'scope', problem: 'the scope of a rule cannot be changed' })
  }
  const role = how === 'patch' ? roleNamed(body.role ?? rule.role) : roleNamed(body.role)
  return role === rule.role ? showRule(rule) : writeRule(world, calendar, caller, rule.scope, role)
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
  writeRule(world, calendar, caller, rule.scope, 'none')
}

const namesOf = ({ type, value }: Scope) => [type, value] as const

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

/** The owner rules of behaviour 2.2: nobody changes their own role, the data owner's, or takes away the last owner. */
function writeRule(world: World, calendar: StoredCalendar, caller: Caller, scope: Scope, role: Role): AclRule {
  const { id } = calendar
  if (scope.type === 'default' && (role === 'owner' || role.startsWith('writer'))) refuse('illegalAccessRoleForDefault')
  if (scope.type === 'user') {
    if (scope.value === caller.email) refuse('cannotChangeOwnAcl')
    if (isPrimary(world, id) && scope.value === id) refuse('cannotChangeOwnerAcl')
    if (scope.value === calendar.dataOwner) refuse('cannotModifyAclOfCalendarOwner')
  }
  const current = world.acl.of(id).get(ruleId(scope.type, scope.value))
  if (!current && role === 'none') refuse('notFound')
  if (current?.role === 'owner' && role !== 'owner' && isLastOwner(world, current, id))
    refuse('cannotRemoveLastCalendarOwnerFromAcl')
  if (current?.role === role) return showRule(current)
  const rule = saveRule(world, id, scope, role, ruleEtag)
  removeEntries(world, id, (email) => roleOf(world, id, { email }) === 'none')
  return showRule(rule)
}

const isLastOwner = (world: World, rule: AclRule, calendarId: string): boolean =>
  ![...world.acl.of(calendarId).values()].some((other) => other.role === 'owner' && other.id !== rule.id)
