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
import { assembleEvents, type FileEvent, type ParsedEvent, type UidGroup } from './assembly.ts'
import { decodeText } from './decode.ts'
import type { ReadContext } from './eventFields.ts'
import type { Remark, Report } from './remarks.ts'
import { type Component, findProperty, findText, findWord, readComponents } from './syntax.ts'
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

/** Returns the function that reports about the event of a UID. */
type CreateReport = (uid: string | undefined) => Report

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
  checkICalendarOptions(text, options)
  const { timeZone, alarms } = options
  const remarks: Remark[] = []
  const createReport: CreateReport = (uid) => (line, reason) => {
    remarks.push({ ...(uid !== undefined && { uid }), line, reason })
  }
  const report = createReport(undefined)
  const calendars = requireCalendars(typeof text === 'string' ? text : decodeText(text, report), report)
  const [first] = calendars
  const { owner, about } = resolveTarget(options, first && findText(first, 'x-wr-calname'))
  const calendarId = addressOf(about.id)
  const files = calendars.map((component) => {
    const zones = new Zones(component, timeZone ?? 'UTC')
    return { component, context: { zones, owner, calendar: calendarId, alarms: alarms !== 'ignore', report } }
  })
  const isPrimary = calendarId === owner
  const zone = files[0]?.context.zones.named ?? timeZone
  const description = first && !isPrimary && findText(first, 'x-wr-caldesc')
  Object.assign(about, { ...(description && { description }), ...(zone && { timeZone: zone }) })
  const seed: Seed = { accounts: [{ email: owner, ...(zone && isPrimary && { timeZone: zone }) }], calendars: [about] }
  const events = [...groupByUid(files, createReport)].flatMap((group) => {
    const parsed = assembleEvents(group)
    const existing = parsed.find(({ event }) => event.id && eventExists(calendarId, event.id))
    if (!existing) return parsed.map((one) => ({ ...one, report: group.report }))
    const reason = 'the event was left out, because the calendar already has an event with this UID'
    group.report(existing.line, `${reason}; delete that event first, or change the UID`)
    return []
  })
  about.events = filterAccepted(seed, calendarId, events)
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

/** Throws a RangeError that begins with the name of an invalid option. */
function checkICalendarOptions(text: string | Uint8Array, options: ICalendarOptions): void {
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError('text: expected a string or the bytes of a file')
  }
  const { owner, calendar, name, timeZone, alarms = 'read' } = options
  const problems: [isWrong: boolean, message: string][] = [
    [owner !== undefined && !EMAIL.test(`${owner}`), `owner: not an e-mail address: ${owner}`],
    [calendar?.trim() === '', 'calendar: it is empty'],
    [name?.trim() === '', 'name: it is empty'],
    [timeZone !== undefined && !isZone(timeZone), `timeZone: no time zone: ${timeZone}`],
    [!['ignore', 'read'].includes(alarms), `alarms: ${alarms} (expected ignore or read)`],
  ]
  const problem = problems.find(([isWrong]) => isWrong)
  if (problem) throw new RangeError(problem[1])
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
  const calendars = found.filter((calendar) => !MESSAGE_METHODS.includes(findWord(calendar, 'method')))
  const message = found.find((calendar) => !calendars.includes(calendar))
  if (!message) return calendars
  const method = `METHOD:${findWord(message, 'method')}`
  if (calendars.length === 0) throw new RangeError(`text: ${method} is a message about a meeting, not a calendar`)
  const reason = `the calendar was left out, because ${method} makes it a message about a meeting`
  report(message.line, `${reason}; remove METHOD to read its events`)
  return calendars
}

/** Groups the events of calendars by UID, in their order, and reports components that are no events. */
function groupByUid(
  files: readonly { component: Component; context: ReadContext }[],
  createReport: CreateReport,
): Iterable<UidGroup> {
  const groups = new Map<string, UidGroup>()
  const made = new Map<string, number>()
  for (const { component, context } of files) {
    const zone = findProperty(component, 'x-wr-timezone')
    if (zone?.value.trim() && context.zones.named === undefined) {
      context.report(zone.line, describeUnknownZone('X-WR-TIMEZONE', zone.value, context.zones.floating))
    }
    for (const event of component.components) {
      if (/^V(TODO|JOURNAL|FREEBUSY)$/.test(event.name)) {
        createReport(findText(event, 'uid'))(event.line, `the ${event.name} was left out, because only events are read`)
      }
      if (event.name !== 'VEVENT') continue
      const uid = findText(event, 'uid') ?? createUid(event, made)
      const group: UidGroup = groups.get(uid) ?? { uid, masters: [], exceptions: new Map(), report: createReport(uid) }
      groups.set(uid, group)
      addToGroup(group, { event, context: { ...context, report: group.report } })
    }
  }
  return groups.values()
}

/**
 * Adds an event to its group. Of two with the same UID and RECURRENCE-ID, the one with the higher SEQUENCE is used, else
 * the later. Of two without RECURRENCE-ID, the other stands second and is reported.
 */
function addToGroup({ masters, exceptions, report }: UidGroup, entry: FileEvent): void {
  const original = findProperty(entry.event, 'recurrence-id')
  const slot = original?.value.trim()
    ? [original.parameters.tzid, original.parameters.range, original.value.trim()].join(' ')
    : undefined
  const before = slot === undefined ? masters[0] : exceptions.get(slot)
  const isNewer = !before || readSequence(before) <= readSequence(entry)
  if (slot !== undefined) {
    if (isNewer) exceptions.set(slot, entry)
    return
  }
  if (before) {
    const { line } = before.event
    const reason = isNewer
      ? `the event is used instead of the one in line ${line}, which has the same UID`
      : `the event was left out, because the one in line ${line} has the same UID and a higher SEQUENCE`
    report(entry.event.line, `${reason}; give each event a UID of its own`)
  }
  masters.splice(isNewer ? 0 : 1, 0, entry)
}

const readSequence = ({ event }: FileEvent): number => Number.parseInt(findText(event, 'sequence') ?? '0', 10) || 0

/**
 * Returns a UID made from the content of an event. Equal events of a file get different UIDs, and each run gives the same
 * ones. `made` counts equal contents, and is changed.
 */
function createUid({ properties }: Component, made: Map<string, number>): string {
  const text = properties
    .map(({ name, parameters, value }) => JSON.stringify([name, ...Object.entries(parameters), value]))
    .join('\n')
  const times = (made.get(text) ?? 0) + 1
  made.set(text, times)
  return `${digest(`${text}${times > 1 ? times : ''}`, 'sha1')}@fake-calendar`
}

/**
 * Returns the X-WR-CALNAME of a file, or undefined. It must precede the first event, because a second text of a large file
 * would need as much memory as the first.
 */
export function findCalendarName(text: string | Uint8Array): string | undefined {
  const bytes =
    typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  const firstEvent = bytes.indexOf('BEGIN:VEVENT')
  const head = decodeText(firstEvent < 0 ? bytes : bytes.subarray(0, firstEvent))
  const { components } = readComponents(head, () => undefined)
  return components.map((calendar) => findText(calendar, 'x-wr-calname')).find(Boolean)
}

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
 * Returns the events that the service accepts, and reports the others. Each is applied to a temporary world with `seed`, so
 * that one rejected event does not reject the whole seed.
 */
function filterAccepted(seed: Seed, calendarId: string, parsed: readonly (ParsedEvent & { report: Report })[]) {
  const store = new Store()
  const clock = new WorldClock(store)
  clock.freeze(TRIAL_TIME)
  const world = new WorldData(store, clock)
  applySeed(world, seed)
  const calendar = world.calendars.get(calendarId) as StoredCalendar
  return parsed.flatMap(({ event, line, report }) => {
    try {
      store.transaction(() => applyEvent(world, calendar, event))
      return [event]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report(line, `the event was left out, because the service rejects it: ${error.message}`)
      return []
    }
  })
}
