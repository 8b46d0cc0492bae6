import { isPublicCalendar } from '../api/calendars/publicCalendars.ts'
import { faultsOf } from '../life/faults.ts'
import { type Path, pathOf } from '../wire/issues.ts'
import { ROLES, type Role } from '../wire/roles.ts'
import type { Seed, SeedAccount, SeedCalendar } from '../wire/seeds/seed.ts'
import { type Captured, captureAccount, text } from './account.ts'
import { type CapturedCalendar, captureCalendar, type Span } from './calendar.ts'
import { CaptureError } from './captureError.ts'
import type { Service } from './service.ts'

export type Capture = Span & {
  /** One for each account, as its token lets it see. */
  services: readonly Service[]
  /** The ids of the only calendars that are wanted beside the primary ones; all on the lists, unless given. */
  calendars: readonly string[]
  /** Told what it is at. */
  say: (line: string) => void
}

/** A record that a seed could not hold, and why. */
export type Left = { where: string; problem: string }

/** A seed of what some accounts see, and what of it a seed could not hold. */
export async function capture({ services, calendars, say, ...span }: Capture): Promise<{ seed: Seed; left: Left[] }> {
  const wanted = (id: string) => calendars.length === 0 || calendars.includes(id)
  const captured: Captured[] = []
  for (const service of services) {
    say(`account ${captured.length + 1} of ${services.length}`)
    captured.push(await captureAccount(service, wanted))
  }
  const places = bestPlaces(captured)
  const missing = calendars.find((id) => id !== 'primary' && !places.has(id))
  if (missing !== undefined) {
    const listed = new Set(captured.flatMap((one) => one.listed))
    throw new CaptureError(`--calendar: there is no calendar ${missing} (only ${[...listed].join(', ')})`)
  }
  const all: CapturedCalendar[] = []
  for (const place of places.values()) {
    const at = `calendar ${all.length + 1} of ${places.size}`
    say(`${at}: ${place.entry.summary}`)
    all.push(await captureCalendar(place, span, (events) => say(`${at}: ${place.entry.summary}, ${events} events`)))
  }
  return loadable(seedOf(captured, all))
}

type Place = { entry: Captured['entries'][number]; email: string; service: Service }

/** Of each calendar the account that sees most of it. */
function bestPlaces(captured: readonly Captured[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { email, service, entries } of captured) {
    for (const entry of entries) {
      const [id, place] = [String(entry.id), { entry, email, service }]
      const known = places.get(id)
      if (!known || rank(entry.accessRole) > rank(known.entry.accessRole) || id === email) places.set(id, place)
    }
  }
  return places
}

function seedOf(captured: readonly Captured[], all: readonly CapturedCalendar[]): Seed {
  const accounts = new Map<string, SeedAccount>()
  for (const { account } of all) if (account) accounts.set(account.email, account)
  for (const { calendar } of all) {
    if (calendar.owner && !accounts.has(calendar.owner)) accounts.set(calendar.owner, { email: calendar.owner })
  }
  for (const { email, account } of captured) {
    const seen = all.filter((one) => one.seenBy === email).flatMap(({ events }) => events)
    const reminders = seen.flatMap((one) => one.reminders ?? [])
    accounts.set(email, { ...accounts.get(email), ...account, ...(reminders.length > 0 && { reminders }) })
  }
  const groups = new Map<string, Set<string>>()
  const calendars = all.map(({ calendar, events }): SeedCalendar => {
    const acl = [...(calendar.acl ?? [])]
    for (const one of captured) {
      const way = wayIn(one, calendar)
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
 * How an account comes to see a calendar, where its rules do not say so: as a member of a group that has its role, or by
 * a rule of its own.
 */
function wayIn({ email, entries }: Captured, { id, acl }: SeedCalendar): Rule | { group: string } | undefined {
  const role = text(entries.find((entry) => entry.id === id)?.accessRole)
  if (!role || id === email || isPublicCalendar(id)) return undefined
  const domain = email.slice(email.indexOf('@') + 1)
  const isFor = ({ scope }: Rule) =>
    scope?.type === 'default' || scope?.value === email || (scope?.type === 'domain' && scope.value === domain)
  if (acl?.some((rule) => isFor(rule) && rank(rule.role) >= rank(role))) return undefined
  const group = acl?.find((rule) => rule.scope?.type === 'group' && rule.role === role)?.scope?.value
  return group ? { group: String(group) } : { role, scope: { type: 'user', value: email } }
}

/** How often what is refused is looked for: what refers to it is refused in turn. */
const MOST_ROUNDS = 5

/** A seed without what the loader refuses, and what that is. */
function loadable(seed: Seed): { seed: Seed; left: Left[] } {
  const left: Left[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const faults = faultsOf(seed).filter(({ taken }) => !taken)
    if (faults.length === 0) return { seed, left }
    const records = new Set<string>()
    for (const { path, problem } of faults.toReversed()) {
      const record = path.slice(0, typeof path[3] === 'number' ? 4 : 2)
      const items = listOf(seed, record)
      if (!items || records.has(pathOf(record))) continue
      records.add(pathOf(record))
      left.push({ where: pathOf(record), problem })
      items.splice(Number(record.at(-1)), 1)
    }
    if (records.size === 0) break
  }
  const [fault] = faultsOf(seed)
  throw new CaptureError(`what was captured is no seed: ${pathOf(fault?.path ?? [])}: ${fault?.problem}`)
}

/** The list that a record of a seed stands in; nothing of an account, which cannot be left out. */
function listOf(seed: Seed, record: Path): unknown[] | undefined {
  if (record[0] === 'accounts' && record.length < 4) return undefined
  let at: unknown = seed
  for (const key of record.slice(0, -1)) at = at instanceof Object ? Reflect.get(at, key) : undefined
  return Array.isArray(at) ? at : undefined
}
