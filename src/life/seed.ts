import { addAccounts, saidOf } from '../api/accounts.ts'
import { addOwnerRules, addRule, readRule } from '../api/acl/rules.ts'
import { addEntry, writeEntry } from '../api/calendarList/entry.ts'
import { addCalendar, changeCalendar, requireZone } from '../api/calendars/calendars.ts'
import { addPublicCalendar, isPublicCalendar } from '../api/calendars/publicCalendars.ts'
import { applyConferenceSeed } from '../effects/conferences.ts'
import { readEventReminders } from '../model/compose.ts'
import { type Path, pathOf } from '../wire/issues.ts'
import { Refusal, refuse } from '../wire/refusals.ts'
import type { Seed, SeedAccount, SeedCalendar } from '../wire/seeds/seed.ts'
import { addressOf } from '../wire/values/address.ts'
import { merged, same, without } from '../wire/values/merge.ts'
import { roleOf } from '../world/access.ts'
import { putReminders } from '../world/reminders.ts'
import { addSettings, setSetting } from '../world/settings.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { unanchored } from './anchor.ts'
import { plantEvent } from './eventSeed.ts'
import { plantOAuth } from './oauthSeeds.ts'
import { isState, restore } from './state.ts'

/** A seed that is refused. The message says where in it the fault is, and why. */
export class SeedError extends Error {}

/** How many of each a seed has put in. */
export type Planted = { accounts: number; calendars: number; events: number }

/** How many accounts and events a seed may have to be remembered, for worlds that begin with the same. */
const LARGEST = 5000

export const isLarge = ({ accounts = [], calendars = [] }: Seed): boolean =>
  calendars.reduce((count, { events = [] }) => count + events.length, accounts.length) > LARGEST

/** Does what plants a record of a seed, and makes of a refusal what it is to whoever plants. */
export type Planting = <T>(path: Path, act: () => T) => T | undefined

/** The first record that is refused refuses the seed. */
const strictly: Planting = (path, act) => {
  try {
    return act()
  } catch (error) {
    throw error instanceof Refusal ? new SeedError(`${pathOf(path)}: ${error.message}`) : error
  }
}

export function plant(world: World, seed: Seed, within: Planting = strictly): Planted {
  if (seed.conferences)
    within(['conferences'], () => planting(() => applyConferenceSeed(world, seed.conferences ?? {})))
  for (const { id, ...file } of seed.files ?? []) world.files.set(id, file)
  if (isState(seed)) restore(world, seed)
  else
    grow(
      world,
      unanchored(seed, world.clock.now(), (calendarId) => zoneOf(world, seed, addressOf(calendarId))),
      within,
    )
  for (const key of seed.apiKeys ?? []) world.apiKeys.set(key, true)
  if (seed.oauth) plantOAuth(world, seed.oauth)
  const { accounts = [], calendars = [], mail = [] } = seed
  const written = world.mail.last ?? 0
  for (const [at, one] of mail.entries()) world.mail.set(written + 1 + at, one)
  const events = calendars.reduce((sum, calendar) => sum + (calendar.events?.length ?? 0), 0)
  return { accounts: accounts.length, calendars: calendars.length, events }
}

/** How many of each there are. */
export function countOf({ accounts, calendars, events }: World): Planted {
  const stored = [...calendars.values()].reduce((sum, { id }) => sum + events.of(id).size, 0)
  return { accounts: accounts.size, calendars: calendars.size, events: stored }
}

/** A RangeError of a policy is a fault of the seed, at `conferences`. */
function planting(act: () => void): void {
  try {
    act()
  } catch (error) {
    throw error instanceof RangeError ? new SeedError(`conferences: ${error.message}`) : error
  }
}

/** The zone of a calendar that the seed gives none: of the one there is, or of the account that it is the primary one of. */
function zoneOf(world: World, { accounts = [] }: Seed, calendarId: string): string {
  const account = accounts.find(({ email }) => addressOf(email) === calendarId)
  return world.calendars.get(calendarId)?.timeZone ?? account?.timeZone ?? 'UTC'
}

/** Plants every record by the checks of a request. One that is refused and passed over takes what lies in it along. */
function grow(
  world: World,
  { accounts = [], groups = [], calendars = [], tokens = [], channels }: Seed,
  within: Planting,
): void {
  if (channels) throw new SeedError('channels: only a state has them, beside its counters; watch instead')
  for (const [at, { timeZone }] of accounts.entries()) within(['accounts', at], () => requireZone(timeZone))
  const known = new Set(accounts.map(({ email }) => addressOf(email)).filter((email) => world.accounts.get(email)))
  addAccounts(
    world,
    accounts.filter(({ email }) => !known.has(addressOf(email))),
  )
  for (const [at, account] of accounts.entries()) {
    within(['accounts', at], () => growAccount(world, account, known.has(addressOf(account.email))))
    known.add(addressOf(account.email))
  }
  for (const { email, members } of groups) {
    world.groups.put(addressOf(email), () => ({ email: addressOf(email), members: members.map(addressOf) }))
  }
  // Events come after all calendars: a room that is seeded later answers too.
  for (const [at, calendar] of calendars.entries()) growCalendar(world, calendar, ['calendars', at], within)
  for (const [at, { id, events = [] }] of calendars.entries()) {
    const calendar = world.calendars.get(addressOf(id))
    if (!calendar || calendar.deleted) continue
    for (const [nth, event] of events.entries()) {
      within(['calendars', at, 'events', nth], () => plantEvent(world, calendar, event))
    }
  }
  // Lists come last: an entry may name a calendar that is seeded after its account.
  for (const [at, { email, calendarList = [] }] of accounts.entries()) {
    for (const [nth, entry] of calendarList.entries()) {
      within(['accounts', at, 'calendarList', nth], () => growEntry(world, addressOf(email), entry))
    }
  }
  for (const [at, { email, reminders = [] }] of accounts.entries()) {
    for (const [nth, own] of reminders.entries()) {
      within(['accounts', at, 'reminders', nth], () => growReminders(world, addressOf(email), own))
    }
  }
  addAccounts(
    world,
    tokens.map(({ account }) => ({ email: account })),
  )
  for (const grant of tokens) {
    world.grants.put(grant.token, () => ({ ...grant, account: addressOf(grant.account) }))
  }
}

/** What a seed says of an account that there is already: its calendar and its settings follow it to another zone. */
function changeAccount(
  world: World,
  email: string,
  { timeZone, ...said }: Pick<SeedAccount, 'displayName' | 'timeZone' | 'kind' | 'showDisplayName'>,
): void {
  const account = world.accounts.get(email) ?? refuse('notFound')
  const changed = { ...account, ...saidOf(said), ...(timeZone && { timeZone }) }
  if (!same(account, changed)) world.accounts.put(email, () => changed)
  addSettings(world, email, { timezone: changed.timeZone, kind: changed.kind })
  const calendar = world.calendars.get(email)
  if (!timeZone || timeZone === account.timeZone || !calendar) return
  changeCalendar(world, calendar, { timeZone }, 'patch')
  setSetting(world, email, 'timezone', timeZone)
}

function growAccount(world: World, { email, settings = {}, ...said }: SeedAccount, known: boolean): void {
  if (known) changeAccount(world, addressOf(email), said)
  const values = Array.isArray(settings)
    ? settings.map(({ id, value }) => [id, value] as const)
    : Object.entries(settings)
  for (const [id, value] of values) {
    if (!world.settings.of(addressOf(email)).get(id))
      refuse('invalidValue', { field: 'settings', problem: `no setting ${id}` })
    if (id === 'timezone') requireZone(value)
    setSetting(world, addressOf(email), id, value)
  }
}

function growCalendar(world: World, seed: SeedCalendar, path: Path, within: Planting): void {
  const calendar = within(path, () => openCalendar(world, seed))
  for (const [nth, rule] of (seed.acl ?? []).entries()) {
    if (calendar) within([...path, 'acl', nth], () => addRule(world, calendar.id, readRule(rule)))
  }
}

/** A calendar of the world, with what the seed says of it; one that there is not yet begins here, on its owner's list. */
function openCalendar(world: World, seed: SeedCalendar): StoredCalendar {
  const id = addressOf(seed.id)
  const { owner, dataOwner, client, ...said } = seed
  const body = without(said, 'acl', 'events', 'id', 'kind', 'etag', 'deleted')
  requireZone(body.timeZone ?? undefined)
  if (client !== undefined) world.makers.set(id, client)
  const current = world.calendars.get(id)
  if (current?.deleted) refuse('duplicate')
  if (current) return changeCalendar(world, current, body, 'patch')
  if (isPublicCalendar(id) && !owner && !dataOwner) return addPublicCalendar(world, id, merged({}, body))
  const owned = addressOf(owner ?? dataOwner ?? refuse('missingField', { field: 'owner' }))
  if (!world.accounts.get(owned)) refuse('invalidValue', { field: 'owner', problem: `there is no account ${owned}` })
  const draft = merged({}, body)
  const calendar = addCalendar(world, { ...draft, id, summary: draft.summary ?? id, dataOwner: owned })
  addOwnerRules(world, id, owned)
  addEntry(world, owned, { id, selected: true })
  return calendar
}

type SeedEntry = NonNullable<SeedAccount['calendarList']>[number]

function growEntry(world: World, email: string, body: SeedEntry): void {
  const id = addressOf(body.id)
  if (!world.calendars.get(id)) refuse('invalidValue', { field: 'id', problem: `there is no calendar ${id}` })
  if (roleOf(world, id, { email }) === 'none')
    refuse('invalidValue', { field: 'id', problem: `${email} has no role on ${id}` })
  const colorRgbFormat = Boolean(body.backgroundColor || body.foregroundColor)
  writeEntry(world, email, id, { body, colorRgbFormat, how: 'patch' })
}

type SeedReminders = NonNullable<SeedAccount['reminders']>[number]

function growReminders(world: World, email: string, { useDefault, overrides, ...of }: SeedReminders): void {
  const [calendarId, eventId] = [addressOf(of.calendarId), of.eventId]
  if (!world.events.get(calendarId)?.named(eventId))
    refuse('invalidValue', { field: 'eventId', problem: `there is no event ${eventId} on ${calendarId}` })
  const own = readEventReminders({ useDefault, ...(overrides && { overrides }) }, false)
  putReminders(world, email, { calendarId, eventId, ...own })
}
