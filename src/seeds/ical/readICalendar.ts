import { digest } from '../../model/ids.ts'
import { isZone } from '../../recurrence/zone.ts'
import { addressOf } from '../../schema/values/address.ts'
import type { Seed, SeedCalendar } from '../schema/seed.ts'
import { eventsOf, type FileEvent, isException, type ParsedEvent, type UidGroup, uidOf } from './assembly.ts'
import { type Component, findProperty, findText, readComponents } from './components.ts'
import { decodeText } from './decoding.ts'
import { quote, type Remark, type Report } from './report.ts'
import { calendarIdOf } from './target.ts'
import { filterAccepted } from './trial.ts'
import { Zones } from './zones.ts'

/** Options of reading an iCalendar file. */
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
  /** Renames the calendar. Without it, only a new secondary calendar is named. */
  name?: string | undefined
  /** The zone of times without a zone; UTC by default. */
  timeZone?: string | undefined
  /** `ignore` skips alarms, so that the calendar's default reminders apply. */
  alarms?: 'ignore' | 'read' | undefined
}

/**
 * A seed with a `report` of omitted and changed content. The report is not enumerable, so that it is not part of the
 * seed.
 */
export type ICalendarSeed = Seed & { readonly report: readonly Remark[] }

/** Returns true if a calendar already contains an event of an id. */
export type EventExists = (calendarId: string, eventId: string) => boolean

const EMAIL = /^[^\s@]+@[^\s@]+$/
/** The account of a start without a seed. */
const DEFAULT_OWNER = 'alice@example.com'
const DEFAULT_NAME = 'Imported calendar'
/** Methods of messages about a meeting. */
const MESSAGE_METHODS = ['REPLY', 'CANCEL', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

/**
 * Returns the seed that an iCalendar file describes. An event that the service cannot hold, or that already exists, is
 * left out and reported. Throws a RangeError for text that is not iCalendar, and for an invalid option, with its name,
 * and a TypeError if `text` is neither text nor bytes.
 */
export function readICalendar(
  text: string | Uint8Array,
  options: ICalendarOptions = {},
  eventExists: EventExists = () => false,
): ICalendarSeed {
  const { timeZone, alarms, ...target } = checkOptions(text, options)
  const remarks: Remark[] = []
  /** Returns the function that adds remarks about the events of a UID; without one, about the file. */
  const reportOf =
    (uid: string | undefined): Report =>
    (line, reason) =>
      remarks.push({ ...(uid !== undefined && { uid }), line, reason })
  const plain = typeof text === 'string' ? text : decodeText(text, reportOf(undefined))
  const calendars = requireCalendars(plain, reportOf(undefined))
  const [first] = calendars
  const { owner, about } = targetOf(target, first && findText(first, 'x-wr-calname'))
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
    reportOf,
  )
  const isPrimary = addressOf(about.id) === owner
  const description = first && findText(first, 'x-wr-caldesc')
  Object.assign(about, { ...(description && !isPrimary && { description }), ...(zone && { timeZone: zone }) })
  const account = { email: owner, ...(zone && isPrimary && { timeZone: zone }) }
  const seed: Seed = { accounts: [account], calendars: [about] }
  const events = groups.flatMap((group) => {
    const parsed = eventsOf(group).map((one) => ({ ...one, uid: group.uid }))
    const existing = parsed.find(({ event }) => event.id && eventExists(addressOf(about.id), event.id))
    if (existing) reportOf(group.uid)(existing.line, 'left out: the calendar already has an event with this UID')
    return existing ? [] : parsed
  })
  const accepted = filterAccepted(seed, addressOf(about.id), events, (one: ParsedEvent & { uid?: string }, why) =>
    reportOf(one.uid)(one.line, `left out: the service refuses it: ${why}`),
  )
  about.events = accepted.map(({ event }) => event)
  remarks.sort((a, b) => a.line - b.line)
  return Object.defineProperty(seed, 'report', { value: remarks, enumerable: false }) as ICalendarSeed
}

type Target = Pick<ICalendarOptions, 'owner' | 'calendar' | 'name'>

/**
 * Returns the owner, and the calendar without its events, from the options and the name that the file gives
 * (`calname`).
 */
function targetOf({ owner: given, calendar, name }: Target, calname: string | undefined) {
  const isAddress = calname !== undefined && EMAIL.test(calname)
  const owner = addressOf(given ?? (isAddress ? calname : DEFAULT_OWNER))
  const fileName = isAddress ? undefined : calname
  const requested = calendar ?? (given === undefined ? (fileName ?? DEFAULT_NAME) : 'primary')
  /** Returns a calendar with an id, and with a name if there is one. */
  const about = (id: string, summary: string | undefined): SeedCalendar => ({
    id,
    ...(addressOf(id) !== owner && { owner }),
    ...(summary && { summary }),
  })
  if (requested === 'primary' || addressOf(requested) === owner) return { owner, about: about(owner, name) }
  if (requested.includes('@')) return { owner, about: about(requested, name ?? fileName) }
  return { owner, about: about(calendarIdOf(owner, requested), name ?? requested) }
}

/** Returns the known options. Throws a RangeError that begins with the name of an invalid one. */
function checkOptions(text: string | Uint8Array, options: ICalendarOptions): ICalendarOptions {
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

/** Returns the calendars of a file. Events outside of any VCALENDAR are a calendar too. Throws a RangeError if there is none. */
function requireCalendars(text: string, report: Report): Component[] {
  const root = readComponents(text, report)
  const loose = root.components.some(({ name }) => name === 'VEVENT') ? [root] : []
  const found = [...root.components.filter(({ name }) => name === 'VCALENDAR'), ...loose]
  if (found.length === 0) throw new RangeError('text: not iCalendar: it has no line BEGIN:VCALENDAR')
  /** Returns METHOD of a calendar in upper case; empty without one. */
  const methodOf = (calendar: Component) => findText(calendar, 'method')?.toUpperCase() ?? ''
  const calendars = found.filter((calendar) => !MESSAGE_METHODS.includes(methodOf(calendar)))
  const [message] = found.filter((calendar) => !calendars.includes(calendar))
  if (message && calendars.length === 0) {
    throw new RangeError(`text: METHOD:${methodOf(message)} is a message about a meeting, not a calendar`)
  }
  if (message) report(message.line, `left out: METHOD:${methodOf(message)} is a message about a meeting`)
  return calendars
}

/**
 * Groups the events of calendars by UID, in their order. `sceneOf` creates the context of a calendar; `sayOf` the
 * function that reports about a UID.
 */
function groupByUid(
  calendars: readonly Component[],
  sceneOf: (calendar: Component, report: Report) => FileEvent['context'],
  sayOf: (uid: string | undefined) => Report,
): UidGroup[] {
  const groups = new Map<string, UidGroup & { changed: Map<string, FileEvent> }>()
  const made = new Map<string, number>()
  for (const calendar of calendars) {
    const context = sceneOf(calendar, sayOf(undefined))
    const zone = findProperty(calendar, 'x-wr-timezone')
    if (zone?.value.trim() && context.zones.named === undefined) {
      context.report(zone.line, `no time zone, and taken for ${context.zones.floating}: ${quote(zone.value)}`)
    }
    for (const event of calendar.components) {
      if (/^V(TODO|JOURNAL|FREEBUSY)$/.test(event.name)) {
        sayOf(uidOf(event))(event.line, `left out: a ${event.name} is no event`)
      }
      if (event.name !== 'VEVENT') continue
      const uid = uidOf(event) ?? makeUid(event, made)
      const report = sayOf(uid)
      const group = groups.get(uid) ?? { uid, masters: [], exceptions: [], changed: new Map(), report }
      groups.set(uid, group)
      addToGroup(group, { event, context: { ...context, report } })
    }
  }
  return [...groups.values()].map(({ changed, ...group }) => ({ ...group, exceptions: [...changed.values()] }))
}

/**
 * Adds an event to its group. Of two with the same UID and slot, the one with the higher SEQUENCE counts, else the
 * later.
 */
function addToGroup(group: UidGroup & { changed: Map<string, FileEvent> }, entry: FileEvent): void {
  const of = findProperty(entry.event, 'recurrence-id')
  if (of && isException(entry.event)) {
    const slot = [of.parameters.get('tzid'), of.parameters.get('range'), of.value.trim()].join(' ')
    const before = group.changed.get(slot)
    if (!before || sequenceOf(before) <= sequenceOf(entry)) group.changed.set(slot, entry)
    return
  }
  const [before] = group.masters
  const isNewer = !before || sequenceOf(before) <= sequenceOf(entry)
  if (before) {
    const reason = isNewer ? ': this one counts' : ', with a higher SEQUENCE: that one counts'
    group.report(entry.event.line, `its UID was there before, in line ${before.event.line}${reason}`)
  }
  group.masters.splice(isNewer ? 0 : 1, 0, entry)
}

/** Returns the SEQUENCE of an event; 0 without a valid one. */
const sequenceOf = ({ event }: FileEvent): number => Number.parseInt(findText(event, 'sequence') ?? '0', 10) || 0

/**
 * Returns a UID made from the content of an event. Equal events get different UIDs, and each run the same ones. `made`
 * counts equal contents.
 */
function makeUid({ properties }: Component, made: Map<string, number>): string {
  const text = properties.map(({ name, parameters, value }) => JSON.stringify([name, ...parameters, value])).join('\n')
  const times = (made.get(text) ?? 0) + 1
  made.set(text, times)
  return `${digest(`${text}${times > 1 ? times : ''}`, 'sha1')}@fake-calendar`
}

/** Returns the X-WR-CALNAME of the first calendar of a file that has one, or undefined. */
export function findCalendarName(text: string | Uint8Array): string | undefined {
  const root = readComponents(typeof text === 'string' ? text : decodeText(text), () => undefined)
  return root.components.map((calendar) => findText(calendar, 'x-wr-calname')).find(Boolean)
}

/** Formats a remark as one line. */
export const formatRemark = ({ uid, line, reason }: Remark): string =>
  `line ${line}${uid === undefined ? '' : `, ${quote(uid)}`}: ${reason}`
