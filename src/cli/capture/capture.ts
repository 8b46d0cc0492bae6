import { isPublicCalendar } from '../../api/calendars/publicCalendars.ts'
import { ROLES, type Role } from '../../schema/roles.ts'
import { formatPath, type IssuePath } from '../../schema/values/issues.ts'
import { findSeedProblems } from '../../seeds/problems.ts'
import type { Seed, SeedAccount, SeedCalendar } from '../../seeds/schema/seed.ts'
import { type CapturedAccount, captureAccount } from './account.ts'
import { type CapturedCalendar, captureCalendar, type TimeSpan } from './calendar.ts'
import { CaptureError } from './captureError.ts'
import type { Service } from './service.ts'
import { text } from './values.ts'

export type CaptureOptions = TimeSpan & {
  /** One for each account. */
  services: readonly Service[]
  /** The ids of the wanted secondary calendars; by default all of the lists. */
  calendars: readonly string[]
  /** Receives the progress as text. */
  say: (line: string) => void
}

/** A record that a seed cannot hold, and the reason. */
export type SkippedRecord = {
  kind: 'event' | 'rule' | 'list entry' | 'reminder' | 'calendar' | 'record'
  /** The title of an event, or the id of another record. */
  title: string
  /** The summary of its calendar. */
  calendar?: string
  problem: string
}

/** Names a record by title and calendar, such as `the event "Tea" of the calendar "Team"`. */
export function describeRecord(
  { kind, title, calendar }: SkippedRecord,
  nameOf: (kind: 'event' | 'calendar', name: string) => string,
): string {
  const named = kind === 'event' || kind === 'calendar' ? ` ${JSON.stringify(nameOf(kind, title))}` : ''
  return `the ${kind}${named}${calendar === undefined ? '' : ` of the calendar ${JSON.stringify(nameOf('calendar', calendar))}`}`
}

/** Captures the view of several accounts as a seed. Also returns the records that a seed cannot hold. */
export async function capture({
  services,
  calendars,
  say,
  ...span
}: CaptureOptions): Promise<{ seed: Seed; left: SkippedRecord[] }> {
  const isWanted = (id: string) => calendars.length === 0 || calendars.includes(id)
  const captures: CapturedAccount[] = []
  for (const service of services) {
    say(`account ${captures.length + 1} of ${services.length}`)
    captures.push(await captureAccount(service, isWanted))
  }
  const places = bestPlaces(captures)
  const missing = calendars.find((id) => id !== 'primary' && !places.has(id))
  if (missing !== undefined) {
    const listed = new Set(captures.flatMap((one) => one.listed))
    throw new CaptureError(`--calendar: there is no calendar ${missing} (only ${[...listed].join(', ')})`)
  }
  const all: CapturedCalendar[] = []
  for (const place of places.values()) {
    const at = `calendar ${all.length + 1} of ${places.size}`
    say(`${at}: ${place.entry.summary}`)
    all.push(await captureCalendar(place, span, (events) => say(`${at}: ${place.entry.summary}, ${events} events`)))
  }
  return withoutRejected(seedOf(captures, all))
}

type Place = { entry: CapturedAccount['entries'][number]; email: string; service: Service }

/** Returns for each calendar the account with the most access. */
function bestPlaces(captures: readonly CapturedAccount[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { email, service, entries } of captures) {
    for (const entry of entries) {
      const [id, place] = [String(entry.id), { entry, email, service }]
      const known = places.get(id)
      if (!known || rank(entry.accessRole) > rank(known.entry.accessRole) || id === email) places.set(id, place)
    }
  }
  return places
}

function seedOf(captures: readonly CapturedAccount[], all: readonly CapturedCalendar[]): Seed {
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
      const way = findAccess(one, calendar)
      if (way && 'group' in way) groups.set(way.group, (groups.get(way.group) ?? new Set()).add(one.email))
      else if (way) acl.push(way)
    }
    return { ...calendar, acl, events: events.map(({ event }) => event) }
  })
  const members = [...groups].map(([email, members]) => ({ email, members: [...members] }))
  return { accounts: [...accounts.values()], ...(members.length > 0 && { groups: members }), calendars }
}

type Rule = NonNullable<SeedCalendar['acl']>[number]
const rank = (role: unknown): number => ROLES.indexOf(role as Role)

/**
 * Returns the reason for an account's access to a calendar without a rule for it: membership in a group with the role,
 * or else a rule of its own.
 */
function findAccess(
  { email, entries }: CapturedAccount,
  { id, acl }: SeedCalendar,
): Rule | { group: string } | undefined {
  const role = text(entries.find((entry) => entry.id === id)?.accessRole)
  if (!role || id === email || isPublicCalendar(id)) return undefined
  const domain = email.slice(email.indexOf('@') + 1)
  const isFor = ({ scope }: Rule) =>
    scope?.type === 'default' || scope?.value === email || (scope?.type === 'domain' && scope.value === domain)
  if (acl?.some((rule) => isFor(rule) && rank(rule.role) >= rank(role))) return undefined
  const group = acl?.find((rule) => rule.scope?.type === 'group' && rule.role === role)?.scope?.value
  return group ? { group: String(group) } : { role, scope: { type: 'user', value: email } }
}

/** Limit of repetitions, because a rejected record can cause the rejection of records that refer to it. */
const MAX_ROUNDS = 5

/** Returns a seed without the records that the loader rejects, and these records. */
function withoutRejected(seed: Seed): { seed: Seed; left: SkippedRecord[] } {
  const left: SkippedRecord[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const problems = findSeedProblems(seed).filter(({ isWarning }) => !isWarning)
    if (problems.length === 0) return { seed, left: left.toReversed() }
    const records = new Set<string>()
    for (const { path, problem } of problems.toReversed()) {
      const record = path.slice(0, typeof path[3] === 'number' ? 4 : 2)
      const items = listOf(seed, record)
      if (!items || records.has(formatPath(record))) continue
      records.add(formatPath(record))
      const skipped = toSkipped(seed, record, problem)
      if (skipped) left.push(skipped)
      items.splice(Number(record.at(-1)), 1)
    }
    if (records.size === 0) break
  }
  const [fault] = findSeedProblems(seed)
  throw new CaptureError(`the captured data is not a valid seed: ${formatPath(fault?.path ?? [])}: ${fault?.problem}`)
}

/** Returns the description of a skipped record; undefined for a cancelled event, because its absence has no effect. */
function toSkipped(seed: Seed, [list, at, name, index]: IssuePath, problem: string): SkippedRecord | undefined {
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

/** Returns the list that contains a record; undefined for an account, which cannot be removed. */
function listOf(seed: Seed, record: IssuePath): unknown[] | undefined {
  if (record[0] === 'accounts' && record.length < 4) return undefined
  let at: unknown = seed
  for (const key of record.slice(0, -1)) at = at instanceof Object ? Reflect.get(at, key) : undefined
  return Array.isArray(at) ? at : undefined
}
