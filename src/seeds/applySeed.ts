import { addAccounts, profileOf } from '../api/accounts.ts'
import { addOwnerRule, addRule, readRule } from '../api/acl/rules.ts'
import { addEntry, moveEntryToEnd, writeEntry } from '../api/calendarListEntry.ts'
import { addCalendar, changeCalendar, requireZone } from '../api/calendars/calendars.ts'
import { addPublicCalendar, ensurePublicCalendar, isPublicCalendar } from '../api/calendars/publicCalendars.ts'
import type { Records } from '../db/records.ts'
import { applyConferenceSeed } from '../effects/conferences.ts'
import { roleOf } from '../model/access.ts'
import { initialSettings } from '../model/collections.ts'
import { readEventReminders } from '../model/events/types.ts'
import { putReminders } from '../model/reminders.ts'
import type { Account, StoredCalendar, StoredMail, WorldData } from '../model/worldData.ts'
import { ApiError, apiError, throwApiError, throwInvalidValue } from '../schema/apiErrors.ts'
import type { Event } from '../schema/event.ts'
import type { Setting } from '../schema/setting.ts'
import { addressOf } from '../schema/values/address.ts'
import { formatPath, type IssuePath } from '../schema/values/issues.ts'
import { isEqual, mergePatch, without } from '../schema/values/json.ts'
import { resolveAnchor } from './anchor.ts'
import { applyEvent } from './applyEvent.ts'
import { applyOAuthSeed } from './oauthSeed.ts'
import type { Seed, SeedAccount, SeedCalendar } from './schema/seed.ts'
import { SeedError } from './seedError.ts'
import { isWorldState, restoreWorldState } from './worldState.ts'

export type SeedCounts = { accounts: number; calendars: number; events: number }

const MAX_CACHED_RECORDS = 5000

/** Large seeds are not cached. */
export const isLargeSeed = ({ accounts = [], calendars = [] }: Seed): boolean =>
  calendars.reduce((count, { events = [] }) => count + events.length, accounts.length) > MAX_CACHED_RECORDS

/** Calls `act`, which applies the record at a path. Throws another error than its ApiError, or returns undefined to skip it. */
export type ApplyRecord = <T>(path: IssuePath, act: () => T) => T | undefined

/** The SeedError begins with the path. */
const applyOrThrow: ApplyRecord = (path, act) => {
  try {
    return act()
  } catch (error) {
    throw error instanceof ApiError ? new SeedError(`${formatPath(path)}: ${error.message}`) : error
  }
}

/**
 * Applies a seed. By default throws a SeedError for the first invalid record; the caller must roll back the records
 * before it. The dates of a seed with an anchor are moved to the world's current week.
 */
export function applySeed(world: WorldData, seed: Seed, within: ApplyRecord = applyOrThrow): SeedCounts {
  if (seed.conferences)
    within(['conferences'], () => withSeedErrors(() => applyConferenceSeed(world, seed.conferences ?? {})))
  for (const { id, ...file } of seed.files ?? []) world.files.set(id, file)
  const zoneOf = (calendarId: string) => resolveCalendarZone(world, seed, addressOf(calendarId))
  const current = isWorldState(seed) ? seed : resolveAnchor(seed, world.clock.now(), zoneOf)
  if (isWorldState(seed)) restoreWorldState(world, seed)
  else applyRecords(world, current, within)
  for (const key of seed.apiKeys ?? []) world.apiKeys.set(key, true)
  if (seed.oauth) applyOAuthSeed(world, seed.oauth)
  const { accounts = [], calendars = [], mail = [] } = current
  for (const { id = 0, ...one } of mail) world.mail.set(Math.max(id, (world.mail.last ?? 0) + 1), one as StoredMail)
  const events = calendars.reduce((sum, calendar) => sum + (calendar.events?.length ?? 0), 0)
  return { accounts: accounts.length, calendars: calendars.length, events }
}

export function countRecords({ accounts, calendars, store }: WorldData): SeedCounts {
  let events = 0
  for (const records of store.partsUnder('events/')) events += (records as Records<Event>).size
  return { accounts: accounts.size, calendars: calendars.size, events }
}

function withSeedErrors(act: () => void): void {
  try {
    act()
  } catch (error) {
    throw error instanceof RangeError ? new SeedError(`conferences: ${error.message}`) : error
  }
}

/** The zone of the existing calendar, or of the account whose primary calendar it is. */
function resolveCalendarZone(world: WorldData, { accounts = [] }: Seed, calendarId: string): string {
  const account = accounts.find(({ email }) => addressOf(email) === calendarId)
  return world.calendars.get(calendarId)?.timeZone ?? account?.timeZone ?? 'UTC'
}

function applyRecords(
  world: WorldData,
  { accounts = [], groups = [], calendars = [], tokens = [], channels }: Seed,
  within: ApplyRecord,
): void {
  if (channels) throw new SeedError('channels: allowed only in a state; call watch instead')
  for (const [at, { timeZone }] of accounts.entries()) within(['accounts', at], () => requireZone(timeZone))
  const known = new Set(accounts.map(({ email }) => addressOf(email)).filter((email) => world.accounts.get(email)))
  addAccounts(
    world,
    accounts.filter(({ email }) => !known.has(addressOf(email))),
  )
  for (const [at, account] of accounts.entries()) {
    within(['accounts', at], () => applyAccount(world, account, known.has(addressOf(account.email))))
    known.add(addressOf(account.email))
  }
  for (const { email, members } of groups) {
    world.groups.put(addressOf(email), () => ({ email: addressOf(email), members: members.map(addressOf) }))
  }
  for (const [at, calendar] of calendars.entries()) applyCalendar(world, calendar, ['calendars', at], within)
  for (const [at, { email, calendarList = [] }] of accounts.entries()) {
    for (const [nth, entry] of calendarList.entries()) {
      within(['accounts', at, 'calendarList', nth], () => applyListEntry(world, addressOf(email), entry))
    }
    orderEntries(world, addressOf(email), calendarList)
  }
  // Events follow all calendars, so that rooms in later calendars respond too.
  for (const [at, { id, events = [] }] of calendars.entries()) {
    const calendar = world.calendars.get(addressOf(id))
    if (!calendar || calendar.deleted) continue
    for (const [nth, event] of events.entries()) {
      within(['calendars', at, 'events', nth], () => applyEvent(world, calendar, event))
    }
  }
  for (const [at, { email, reminders = [] }] of accounts.entries()) {
    for (const [nth, own] of reminders.entries()) {
      within(['accounts', at, 'reminders', nth], () => applyReminders(world, addressOf(email), own))
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

/** A new zone also applies to the account's calendar and settings. */
function updateAccount(
  world: WorldData,
  email: string,
  {
    timeZone,
    ...fields
  }: Pick<SeedAccount, 'displayName' | 'picture' | 'timeZone' | 'kind' | 'showDisplayName' | 'admin'>,
): void {
  const account = world.accounts.get(email) ?? throwApiError('notFound')
  const changed = { ...account, ...profileOf(fields), ...(timeZone && { timeZone }) }
  if (!isEqual(account, changed)) world.accounts.put(email, () => changed)
  addMissingSettings(world, changed)
  const calendar = world.calendars.get(email)
  if (!timeZone || timeZone === account.timeZone || !calendar) return
  changeCalendar(world, calendar, { timeZone }, 'patch')
  setSetting(world, email, 'timezone', timeZone)
}

function applyAccount(world: WorldData, { email, settings = {}, ...fields }: SeedAccount, known: boolean): void {
  if (known) updateAccount(world, addressOf(email), fields)
  const values = Array.isArray(settings)
    ? settings.map(({ id, value }) => [id, value] as const)
    : Object.entries(settings)
  for (const [id, value] of values) {
    if (!world.settings.of(addressOf(email)).get(id)) throwInvalidValue('settings', `no setting ${id}`)
    if (id === 'timezone') requireZone(value)
    setSetting(world, addressOf(email), id, value)
  }
}

function applyCalendar(world: WorldData, seed: SeedCalendar, path: IssuePath, within: ApplyRecord): void {
  const calendar = within(path, () => upsertCalendar(world, seed))
  for (const [nth, rule] of (seed.acl ?? []).entries()) {
    if (calendar) within([...path, 'acl', nth], () => addRule(world, calendar.id, readRule(rule)))
  }
}

function upsertCalendar(world: WorldData, seed: SeedCalendar): StoredCalendar {
  const id = addressOf(seed.id)
  const { owner, dataOwner, client, ...fields } = seed
  const body = without(fields, 'acl', 'events', 'id', 'kind', 'etag', 'deleted')
  requireZone(body.timeZone ?? undefined)
  if (client !== undefined) world.creatorClients.set(id, client)
  const current = world.calendars.get(id)
  if (current?.deleted) throw apiError('duplicate')
  if (current) return changeCalendar(world, current, body, 'patch')
  if (isPublicCalendar(id) && !owner && !dataOwner) return addPublicCalendar(world, id, mergePatch({}, body))
  if (isImportedCalendar(id) && !owner && !dataOwner) {
    const draft = mergePatch({}, body)
    return addCalendar(world, { ...draft, id, summary: draft.summary ?? id })
  }
  const owned = addressOf(owner ?? dataOwner ?? throwApiError('missingField', { field: 'owner' }))
  if (!world.accounts.get(owned)) throwInvalidValue('owner', `there is no account ${owned}`)
  const draft = mergePatch({}, body)
  const calendar = addCalendar(world, { ...draft, id, summary: draft.summary ?? id, dataOwner: owned })
  addOwnerRule(world, id, owned)
  addEntry(world, owned, { id, selected: true })
  return calendar
}

/** The service reads such a calendar from an iCalendar file by address. It has no owner (behaviour 15.5). */
const isImportedCalendar = (id: string): boolean => id.endsWith('@import.calendar.google.com')

type SeedEntry = NonNullable<SeedAccount['calendarList']>[number]

function applyListEntry(world: WorldData, email: string, body: SeedEntry): void {
  const id = addressOf(body.id)
  ensurePublicCalendar(world, id)
  if (!world.calendars.get(id)) throwInvalidValue('id', `there is no calendar ${id}`)
  if (roleOf(world, id, { email }) === 'none') throwInvalidValue('id', `${email} has no role on ${id}`)
  const colorRgbFormat = Boolean(body.backgroundColor || body.foregroundColor)
  writeEntry(world, email, id, { body, colorRgbFormat, how: 'patch' })
}

/** Gives the entries of a seed their order (behaviour 14.11). Entries that have it already are not written. */
function orderEntries(world: WorldData, email: string, seeded: readonly SeedEntry[]): void {
  const entries = world.lists.of(email)
  let last = 0
  for (const id of seeded.map((entry) => addressOf(entry.id)).filter((id) => entries.get(id))) {
    if (entries.records.ownRevision(id) < last) moveEntryToEnd(world, email, id)
    last = entries.records.ownRevision(id)
  }
}

type SeedReminders = NonNullable<SeedAccount['reminders']>[number]

function applyReminders(world: WorldData, email: string, { useDefault, overrides, ...of }: SeedReminders): void {
  const [calendarId, eventId] = [addressOf(of.calendarId), of.eventId]
  if (!world.events.get(calendarId)?.named(eventId))
    throwInvalidValue('eventId', `there is no event ${eventId} on ${calendarId}`)
  const own = readEventReminders({ useDefault, ...(overrides && { overrides }) })
  putReminders(world, email, { calendarId, eventId, ...own })
}

/** Settings that an account lacks since its kind changed. The change log does not get them. */
function addMissingSettings(world: WorldData, account: Account): void {
  const settings = world.settings.of(account.email)
  for (const setting of initialSettings(account).values())
    if (!settings.get(setting.id)) settings.restore(setting.id, { ...setting }, 0)
}

const setSetting = (world: WorldData, email: string, id: string, value: string): Setting =>
  world.settings.of(email).put(id, (revision) => ({ kind: 'calendar#setting', etag: `"${revision}"`, id, value }))
