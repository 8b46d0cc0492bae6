import { Store } from '../../db/store.ts'
import { WorldClock } from '../../model/clock.ts'
import { digest } from '../../model/ids.ts'
import { type StoredCalendar, WorldData } from '../../model/worldData.ts'
import { isZone } from '../../recurrence/zone.ts'
import { ApiError } from '../../schema/apiErrors.ts'
import { addressOf } from '../../schema/values/address.ts'
import { applyEvent } from '../applyEvent.ts'
import { applySeed } from '../applySeed.ts'
import type { Seed, SeedCalendar } from '../schema/seed.ts'
import {
  assembleEvents,
  type FileEvent,
  findUid,
  hasRecurrenceId,
  type ParsedEvent,
  type UidGroup,
} from './assembly.ts'
import {
  type Component,
  cutForRemark,
  decodeText,
  findProperty,
  findText,
  type Remark,
  type Report,
  readComponents,
} from './syntax.ts'
import { describeUnknownZone, Zones } from './zones.ts'

export type ICalendarOptions = {
  /**
   * The address of the calendar's owner. Without it, the address in X-WR-CALNAME, or `alice@example.com`. The owner is a
   * guest of events that others organize.
   */
  owner?: string | undefined
  /**
   * The calendar that takes the events: `primary`, the id of a secondary calendar (it contains `@`), or the name of one.
   * Without it, the primary calendar of `owner`; without both, a secondary calendar named by X-WR-CALNAME.
   */
  calendar?: string | undefined
  name?: string | undefined
  timeZone?: string | undefined
  /** `ignore` skips alarms, so that the calendar's default reminders apply. */
  alarms?: 'ignore' | 'read' | undefined
}

/**
 * A seed with a `report` of omitted and changed content. The report is not enumerable, so that it is not part of the
 * seed.
 */
export type ICalendarSeed = Seed & { readonly report: readonly Remark[] }

export type EventExists = (calendarId: string, eventId: string) => boolean

const EMAIL = /^[^\s@]+@[^\s@]+$/
const DEFAULT_OWNER = 'alice@example.com'
const DEFAULT_NAME = 'Imported calendar'
const MESSAGE_METHODS = ['REPLY', 'CANCEL', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

/**
 * Returns the seed that an iCalendar file describes: one account and one calendar. An event that the service cannot hold,
 * or that already exists, is left out and reported. Throws a RangeError for text that is not iCalendar, and for an invalid
 * option, with its name, and a TypeError if `text` is neither text nor bytes.
 */
export function readICalendar(
  text: string | Uint8Array,
  options: ICalendarOptions = {},
  eventExists: EventExists = () => false,
): ICalendarSeed {
  const { timeZone, alarms, ...target } = checkICalendarOptions(text, options)
  const remarks: Remark[] = []
  const createReport =
    (uid: string | undefined): Report =>
    (line, reason) =>
      remarks.push({ ...(uid !== undefined && { uid }), line, reason })
  const plain = typeof text === 'string' ? text : decodeText(text, createReport(undefined))
  const calendars = requireCalendars(plain, createReport(undefined))
  const [first] = calendars
  const { owner, about } = resolveTarget(target, first && findText(first, 'x-wr-calname'))
  const zone = (first && new Zones(first, timeZone ?? 'UTC').named) ?? timeZone
  const groups = groupByUid(
    calendars,
    (component, report) => ({
      zones: new Zones(component, timeZone ?? 'UTC'),
      owner,
      calendar: addressOf(about.id),
      alarms: alarms !== 'ignore',
      report,
    }),
    createReport,
  )
  const isPrimary = addressOf(about.id) === owner
  const description = first && findText(first, 'x-wr-caldesc')
  Object.assign(about, { ...(description && !isPrimary && { description }), ...(zone && { timeZone: zone }) })
  const account = { email: owner, ...(zone && isPrimary && { timeZone: zone }) }
  const seed: Seed = { accounts: [account], calendars: [about] }
  const events = groups.flatMap((group) => {
    const parsed = assembleEvents(group).map((one) => ({ ...one, uid: group.uid }))
    const existing = parsed.find(({ event }) => event.id && eventExists(addressOf(about.id), event.id))
    if (existing) {
      const reason = 'the event was left out, because the calendar already has an event with this UID'
      createReport(group.uid)(existing.line, `${reason}; delete that event first, or change the UID`)
    }
    return existing ? [] : parsed
  })
  const accepted = filterAccepted(seed, addressOf(about.id), events, (one: ParsedEvent & { uid?: string }, why) =>
    createReport(one.uid)(one.line, `the event was left out, because the service rejects it: ${why}`),
  )
  about.events = accepted.map(({ event }) => event)
  remarks.sort((a, b) => a.line - b.line)
  return Object.defineProperty(seed, 'report', { value: remarks, enumerable: false }) as ICalendarSeed
}

type Target = Pick<ICalendarOptions, 'owner' | 'calendar' | 'name'>

function resolveTarget({ owner: given, calendar, name }: Target, calname: string | undefined) {
  const isAddress = calname !== undefined && EMAIL.test(calname)
  const owner = addressOf(given ?? (isAddress ? calname : DEFAULT_OWNER))
  const fileName = isAddress ? undefined : calname
  const requested = calendar ?? (given === undefined ? (fileName ?? DEFAULT_NAME) : 'primary')
  const createCalendar = (id: string, summary: string | undefined): SeedCalendar => ({
    id,
    ...(addressOf(id) !== owner && { owner }),
    ...(summary && { summary }),
  })
  if (requested === 'primary' || addressOf(requested) === owner) return { owner, about: createCalendar(owner, name) }
  if (requested.includes('@')) return { owner, about: createCalendar(requested, name ?? fileName) }
  return { owner, about: createCalendar(deriveCalendarId(owner, requested), name ?? requested) }
}

/** Returns the known options. Throws a RangeError that begins with the name of an invalid one. */
function checkICalendarOptions(text: string | Uint8Array, options: ICalendarOptions): ICalendarOptions {
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError('text: expected a string or the bytes of a file')
  }
  const { owner, calendar, name, timeZone, alarms } = options
  if (owner !== undefined && (typeof owner !== 'string' || !EMAIL.test(owner))) {
    throw new RangeError(`owner: not an e-mail address: ${owner}`)
  }
  if (calendar !== undefined && !calendar.trim()) throw new RangeError('calendar: it is empty')
  if (name !== undefined && !name.trim()) throw new RangeError('name: it is empty')
  if (timeZone !== undefined && !isZone(timeZone)) throw new RangeError(`timeZone: no time zone: ${timeZone}`)
  if (alarms !== undefined && alarms !== 'ignore' && alarms !== 'read') {
    throw new RangeError(`alarms: ${alarms} (expected ignore or read)`)
  }
  return { owner, calendar, name, timeZone, alarms }
}

/**
 * Returns the calendars of a file. Events outside of any VCALENDAR are a calendar too. Calendars that are a message about
 * a meeting are left out, and the first is reported. Throws a RangeError if no calendar is left.
 */
function requireCalendars(text: string, report: Report): Component[] {
  const root = readComponents(text, report)
  const loose = root.components.some(({ name }) => name === 'VEVENT') ? [root] : []
  const found = [...root.components.filter(({ name }) => name === 'VCALENDAR'), ...loose]
  if (found.length === 0) throw new RangeError('text: not iCalendar: it has no line BEGIN:VCALENDAR')
  const findMethod = (calendar: Component) => findText(calendar, 'method')?.toUpperCase() ?? ''
  const calendars = found.filter((calendar) => !MESSAGE_METHODS.includes(findMethod(calendar)))
  const [message] = found.filter((calendar) => !calendars.includes(calendar))
  if (message && calendars.length === 0) {
    throw new RangeError(`text: METHOD:${findMethod(message)} is a message about a meeting, not a calendar`)
  }
  if (message) {
    const reason = `the calendar was left out, because METHOD:${findMethod(message)} makes it a message about a meeting`
    report(message.line, `${reason}; remove METHOD to read its events`)
  }
  return calendars
}

/**
 * Groups the events of calendars by UID, in their order, and reports components that are no events. `createContext`
 * returns the context of a calendar, `createReport` the function that reports about a UID.
 */
function groupByUid(
  calendars: readonly Component[],
  createContext: (calendar: Component, report: Report) => FileEvent['context'],
  createReport: (uid: string | undefined) => Report,
): UidGroup[] {
  const groups = new Map<string, UidGroup & { changed: Map<string, FileEvent> }>()
  const made = new Map<string, number>()
  for (const calendar of calendars) {
    const context = createContext(calendar, createReport(undefined))
    const zone = findProperty(calendar, 'x-wr-timezone')
    if (zone?.value.trim() && context.zones.named === undefined) {
      context.report(zone.line, describeUnknownZone('X-WR-TIMEZONE', zone.value, context.zones.floating))
    }
    for (const event of calendar.components) {
      if (/^V(TODO|JOURNAL|FREEBUSY)$/.test(event.name)) {
        createReport(findUid(event))(event.line, `the ${event.name} was left out, because only events are read`)
      }
      if (event.name !== 'VEVENT') continue
      const uid = findUid(event) ?? createUid(event, made)
      const report = createReport(uid)
      const group = groups.get(uid) ?? { uid, masters: [], exceptions: [], changed: new Map(), report }
      groups.set(uid, group)
      addToGroup(group, { event, context: { ...context, report } })
    }
  }
  return [...groups.values()].map(({ changed, ...group }) => ({ ...group, exceptions: [...changed.values()] }))
}

/**
 * Adds an event to its group. Of two with the same UID and RECURRENCE-ID, the one with the higher SEQUENCE is used, else
 * the later. Of two without RECURRENCE-ID, the other stands second and is reported.
 */
function addToGroup(group: UidGroup & { changed: Map<string, FileEvent> }, entry: FileEvent): void {
  const of = findProperty(entry.event, 'recurrence-id')
  if (of && hasRecurrenceId(entry.event)) {
    const slot = [of.parameters.get('tzid'), of.parameters.get('range'), of.value.trim()].join(' ')
    const before = group.changed.get(slot)
    if (!before || readSequence(before) <= readSequence(entry)) group.changed.set(slot, entry)
    return
  }
  const [before] = group.masters
  const isNewer = !before || readSequence(before) <= readSequence(entry)
  if (before) {
    const { line } = before.event
    const reason = isNewer
      ? `the event is used instead of the one in line ${line}, which has the same UID`
      : `the event was left out, because the one in line ${line} has the same UID and a higher SEQUENCE`
    group.report(entry.event.line, `${reason}; give each event a UID of its own`)
  }
  group.masters.splice(isNewer ? 0 : 1, 0, entry)
}

const readSequence = ({ event }: FileEvent): number => Number.parseInt(findText(event, 'sequence') ?? '0', 10) || 0

/**
 * Returns a UID made from the content of an event. Equal events of a file get different UIDs, and each run gives the same
 * ones. `made` counts equal contents, and is changed.
 */
function createUid({ properties }: Component, made: Map<string, number>): string {
  const text = properties.map(({ name, parameters, value }) => JSON.stringify([name, ...parameters, value])).join('\n')
  const times = (made.get(text) ?? 0) + 1
  made.set(text, times)
  return `${digest(`${text}${times > 1 ? times : ''}`, 'sha1')}@fake-calendar`
}

/**
 * Returns the X-WR-CALNAME of the first calendar of a file that has one, or undefined. Of bytes, only those before the
 * first event are decoded if they suffice, because a second text of a large file needs as much memory as the first.
 */
export function findCalendarName(text: string | Uint8Array): string | undefined {
  if (typeof text === 'string') return calendarNameIn(text)
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  const firstEvent = bytes.indexOf('BEGIN:VEVENT')
  const name = firstEvent > 0 ? calendarNameIn(decodeText(bytes.subarray(0, firstEvent))) : undefined
  if (name !== undefined || (firstEvent > 0 && !NAME_SIGNS.some((sign) => bytes.includes(sign)))) return name
  return calendarNameIn(decodeText(bytes))
}

const NAME_SIGNS = ['WR-', 'Wr-', 'wR-', 'wr-']

const calendarNameIn = (text: string): string | undefined =>
  readComponents(text, () => undefined)
    .components.map((calendar) => findText(calendar, 'x-wr-calname'))
    .find(Boolean)

export const formatRemark = ({ uid, line, reason }: Remark): string =>
  `line ${line}${uid === undefined ? '' : `, ${cutForRemark(uid)}`}: ${reason}`

export type KnownCalendars = {
  accounts: readonly string[]
  calendars: readonly { id: string; summary?: string | null | undefined; owner?: string | null | undefined }[]
}

/** The calendar that takes an imported file: the address of its owner, its id, and its name if it is new. */
export type CalendarTarget = { owner: string; calendar: string; name?: string | undefined }

type TargetOptions = { owner?: string | undefined; calendar?: string | undefined }

/**
 * Returns the calendar that takes a file. Without `calendar`, it is a new one: named by X-WR-CALNAME unless that is an
 * address, else by `fileName`. Without `owner`, it is the address in X-WR-CALNAME or `fileName`, else the first account.
 */
export function resolveImportTarget(
  { owner, calendar }: TargetOptions,
  { calname, fileName }: { calname: string | undefined; fileName: string },
  { accounts, calendars }: KnownCalendars,
): CalendarTarget {
  const address = [owner, fileName, calname, ...accounts].find((one) => one !== undefined && EMAIL.test(one))
  const known = addressOf(address ?? 'alice@example.com')
  if (calendar !== undefined) {
    const named = calendars.find(({ summary, owner }) => summary === calendar && addressOf(owner ?? '') === known)
    return { owner: known, calendar: named?.id ?? calendar }
  }
  const name = calname === undefined || EMAIL.test(calname) ? fileName : calname
  const ids = new Set(calendars.map(({ id }) => id))
  let id = deriveCalendarId(known, name)
  for (let nth = 2; ids.has(id); nth++) id = deriveCalendarId(known, `${name} ${nth}`)
  return { owner: known, calendar: id, name }
}

/** Returns the id of an owner's calendar by its name. Equal owners and names give equal ids. */
export const deriveCalendarId = (owner: string, name: string): string =>
  `c_${digest(`${addressOf(owner)}\n${name}`, 'sha1')}@group.calendar.google.com`

const TRIAL_TIME = '2026-01-01T00:00:00Z'

/**
 * Returns the events that the service accepts. Each is applied to a temporary world with `seed`, so that one rejected
 * event does not reject the whole seed. Calls `refused` for each rejected event, with the error message.
 */
export function filterAccepted(
  seed: Seed,
  calendarId: string,
  parsed: readonly ParsedEvent[],
  refused: (one: ParsedEvent, why: string) => void,
) {
  const store = new Store()
  const clock = new WorldClock(store)
  clock.freeze(TRIAL_TIME)
  const world = new WorldData(store, clock)
  applySeed(world, seed)
  const calendar = world.calendars.get(calendarId) as StoredCalendar
  return parsed.filter((one) => {
    try {
      store.transaction(() => applyEvent(world, calendar, one.event))
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused(one, error.message)
      return false
    }
  })
}
