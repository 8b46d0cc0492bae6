import { isPublicCalendar } from '../../api/calendars/publicCalendars.ts'
import { ROLES, type Role } from '../../schema/roles.ts'
import { formatPath, type IssuePath } from '../../schema/values/issues.ts'
import { listNames } from '../../schema/values/limitLines.ts'
import { findSeedProblems } from '../../seeds/problems.ts'
import type { Seed, SeedAccount, SeedCalendar } from '../../seeds/schema/seed.ts'
import { type CapturedAccount, captureAccount } from './account.ts'
import { type CalendarView, type CapturedCalendar, captureCalendar, type TimeSpan } from './calendar.ts'
import { CaptureError } from './captureError.ts'
import type { Service } from './service.ts'
import { toNonEmptyText } from './values.ts'

export type CaptureOptions = TimeSpan & {
  /** The order of the accounts in the seed follows it where they own no other calendar. */
  services: readonly Service[]
  /** Secondary calendars; all of the calendar lists if empty. Primary calendars are always captured. */
  calendarIds: readonly string[]
  onProgress: (line: string) => void
}

export type SkippedRecord = {
  kind: 'event' | 'rule' | 'list entry' | 'reminder' | 'calendar' | 'record'
  title: string
  calendar?: string
  problem: string
}

/**
 * `the event "Tea" of the calendar "Team"`. `nameOf` returns the printed name of an event or a calendar, which may be a stand-in.
 */
export function describeRecord(
  { kind, title, calendar }: SkippedRecord,
  nameOf: (kind: 'event' | 'calendar', name: string) => string,
): string {
  const named = kind === 'event' || kind === 'calendar' ? ` ${JSON.stringify(nameOf(kind, title))}` : ''
  return `the ${kind}${named}${calendar === undefined ? '' : ` of the calendar ${JSON.stringify(nameOf('calendar', calendar))}`}`
}

/**
 * Captures the view of several accounts as a valid seed, and returns the records that were removed because a seed cannot hold
 * them. Rejects with a CaptureError if a service cannot be read, a requested calendar is on no list, or no valid seed is left.
 */
export async function capture({
  services,
  calendarIds: calendars,
  onProgress,
  ...span
}: CaptureOptions): Promise<{ seed: Seed; skipped: SkippedRecord[] }> {
  const isWanted = (id: string) => calendars.length === 0 || calendars.includes(id)
  const captures: CapturedAccount[] = []
  for (const service of services) {
    onProgress(`account ${captures.length + 1} of ${services.length}`)
    captures.push(await captureAccount(service, isWanted))
  }
  const views = selectViews(captures)
  const missing = calendars.find((id) => id !== 'primary' && !views.has(id))
  if (missing !== undefined) {
    const listed = new Set(captures.flatMap((one) => one.listedIds))
    throw new CaptureError(`--calendar: there is no calendar ${missing} (only ${listNames([...listed])})`)
  }
  const all: CapturedCalendar[] = []
  for (const view of views.values()) {
    const at = `calendar ${all.length + 1} of ${views.size}`
    onProgress(`${at}: ${view.entry.summary}`)
    all.push(
      await captureCalendar(view, span, (events) => onProgress(`${at}: ${view.entry.summary}, ${events} events`)),
    )
  }
  return skipRejectedRecords(toSeed(captures, all))
}

/** Captures a calendar from the account whose primary calendar it is, else from the account with the highest role. */
function selectViews(captures: readonly CapturedAccount[]): Map<string, CalendarView> {
  const views = new Map<string, CalendarView>()
  for (const { email, service, entries } of captures) {
    for (const entry of entries) {
      const [id, view] = [String(entry.id), { entry, email, service }]
      const known = views.get(id)
      if (!known || rankRole(entry.accessRole) > rankRole(known.entry.accessRole) || id === email) views.set(id, view)
    }
  }
  return views
}

function toSeed(captures: readonly CapturedAccount[], all: readonly CapturedCalendar[]): Seed {
  const accounts = new Map<string, SeedAccount>()
  for (const { account } of all) if (account) accounts.set(account.email, account)
  for (const { calendar } of all) {
    if (calendar.owner && !accounts.has(calendar.owner)) accounts.set(calendar.owner, { email: calendar.owner })
  }
  for (const { email, account } of captures) {
    const seen = all.filter((one) => one.seenBy === email).flatMap(({ events }) => events)
    const reminders = seen.flatMap((one) => one.reminders ?? [])
    accounts.set(email, { ...accounts.get(email), ...account, ...(reminders.length > 0 && { reminders }) })
  }
  const groups = new Map<string, Set<string>>()
  const calendars = all.map(({ calendar, events }): SeedCalendar => {
    const acl = [...(calendar.acl ?? [])]
    for (const one of captures) {
      const access = findAccess(one, calendar)
      if (access && 'group' in access) groups.set(access.group, (groups.get(access.group) ?? new Set()).add(one.email))
      else if (access) acl.push(access)
    }
    return { ...calendar, acl, events: events.map(({ event }) => event) }
  })
  const members = [...groups].map(([email, members]) => ({ email, members: [...members] }))
  return { accounts: [...accounts.values()], ...(members.length > 0 && { groups: members }), calendars }
}

type Rule = NonNullable<SeedCalendar['acl']>[number]
/** -1 for anything that is not a role of the service. */
const rankRole = (role: unknown): number => ROLES.indexOf(role as Role)

/**
 * Explains a role by membership in a group that has exactly this role, else by a rule of its own. Returns undefined if an
 * existing rule grants the role, or the calendar is the account's primary one, public or not visible.
 */
function findAccess(
  { email, entries }: CapturedAccount,
  { id, acl }: SeedCalendar,
): Rule | { group: string } | undefined {
  const role = toNonEmptyText(entries.find((entry) => entry.id === id)?.accessRole)
  if (!role || id === email || isPublicCalendar(id)) return undefined
  const domain = email.slice(email.indexOf('@') + 1)
  const isFor = ({ scope }: Rule) =>
    scope?.type === 'default' || scope?.value === email || (scope?.type === 'domain' && scope.value === domain)
  if (acl?.some((rule) => isFor(rule) && rankRole(rule.role) >= rankRole(role))) return undefined
  const group = acl?.find((rule) => rule.scope?.type === 'group' && rule.role === role)?.scope?.value
  return group ? { group: String(group) } : { role, scope: { type: 'user', value: email } }
}

/** A rejected record can cause the rejection of records that refer to it. */
const MAX_ROUNDS = 5

function skipRejectedRecords(seed: Seed): { seed: Seed; skipped: SkippedRecord[] } {
  const skipped: SkippedRecord[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const problems = findSeedProblems(seed).filter(({ isWarning }) => !isWarning)
    if (problems.length === 0) return { seed, skipped: skipped.toReversed() }
    const records = new Set<string>()
    for (const { path, problem } of problems.toReversed()) {
      const record = path.slice(0, typeof path[3] === 'number' ? 4 : 2)
      const items = findList(seed, record)
      if (!items || records.has(formatPath(record))) continue
      records.add(formatPath(record))
      const description = toSkippedRecord(seed, record, problem)
      if (description) skipped.push(description)
      items.splice(Number(record.at(-1)), 1)
    }
    if (records.size === 0) break
  }
  const [fault] = findSeedProblems(seed)
  throw new CaptureError(`the captured data is not a valid seed: ${formatPath(fault?.path ?? [])}: ${fault?.problem}`)
}

/** Returns undefined for a cancelled event, because its absence has no effect. */
function toSkippedRecord(seed: Seed, [list, at, name, index]: IssuePath, problem: string): SkippedRecord | undefined {
  const outer = list === 'calendars' ? seed.calendars?.[Number(at)] : undefined
  const calendar = outer && { calendar: outer.summary ?? outer.id ?? '' }
  if (name === 'events') {
    const event = outer?.events?.[Number(index)]
    if (event?.status === 'cancelled') return undefined
    return { kind: 'event', title: event?.summary ?? event?.id ?? '', ...calendar, problem }
  }
  if (name === 'acl') return { kind: 'rule', title: '', ...calendar, problem }
  if (outer) return { kind: 'calendar', title: outer.summary ?? outer.id ?? '', problem }
  const kind = name === 'calendarList' ? 'list entry' : name === 'reminders' ? 'reminder' : 'record'
  return { kind, title: '', problem }
}

function findList(seed: Seed, record: IssuePath): unknown[] | undefined {
  if (record[0] === 'accounts' && record.length < 4) return undefined
  let at: unknown = seed
  for (const key of record.slice(0, -1)) at = at instanceof Object ? Reflect.get(at, key) : undefined
  return Array.isArray(at) ? at : undefined
}
