import { isZone } from '../../recurrence/zone.ts'
import { addressOf } from '../../store/address.ts'
import { digest } from '../../store/digest.ts'
import type { Seed, SeedCalendar } from '../../wire/seeds/seed.ts'
import { eventsOf, type FileEvent, type Group, isException, type ParsedEvent, uidOf } from './assembly.ts'
import { type Component, findProperty, findText, readComponents } from './components.ts'
import { decodeText } from './decoding.ts'
import { quote, type Remark, type Report } from './report.ts'
import { filterAccepted } from './trial.ts'
import { Zones } from './zones.ts'

/** How a file of iCalendar is read. */
export type ICalendarOptions = {
  /** Whose calendar it is: an address. Of events that somebody else organizes they are a guest. */
  owner: string
  /** The id of a secondary calendar of theirs; without it their primary one. */
  calendar?: string | undefined
  /** The zone of times for which the file has none; UTC, unless given. */
  timeZone?: string | undefined
  /** `ignore` leaves alarms out, so that the calendar's own reminders stand. */
  alarms?: 'ignore' | 'read' | undefined
}

/** A seed, and beside it what could not be said: `report` is no part of the seed, and is not listed among its keys. */
export type ICalendarSeed = Seed & { readonly report: readonly Remark[] }

const EMAIL = /^[^\s@]+@[^\s@]+$/
/** Answers to invitations, and what else is no calendar. */
const MESSAGE_METHODS = ['REPLY', 'CANCEL', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

/**
 * The seed that a file of iCalendar says. Nothing is refused for one event: the report tells what was left out or changed.
 * What is no iCalendar at all is a RangeError.
 */
export function readICalendar(text: string | Uint8Array, options: ICalendarOptions): ICalendarSeed {
  const { owner, calendar, timeZone, alarms } = checkOptions(text, options)
  const remarks: Remark[] = []
  const sayOf =
    (uid: string | undefined): Report =>
    (line, reason) =>
      remarks.push({ ...(uid !== undefined && { uid }), line, reason })
  const calendars = requireCalendars(typeof text === 'string' ? text : decodeText(text), sayOf(undefined))
  const [first] = calendars
  const named = first && findText(first, 'x-wr-calname')
  const said = (first && new Zones(first, timeZone ?? 'UTC').said) ?? timeZone
  const groups = groupByUid(
    calendars,
    (component, report) => ({
      zones: new Zones(component, timeZone ?? 'UTC'),
      owner,
      calendar: addressOf(calendar ?? owner),
      alarms: alarms !== 'ignore',
      report,
    }),
    sayOf,
  )
  const about: SeedCalendar = {
    id: calendar ?? owner,
    ...(calendar !== undefined && { owner }),
    ...(named && addressOf(named) !== owner && { summary: named }),
    ...(first && findText(first, 'x-wr-caldesc') && { description: findText(first, 'x-wr-caldesc') }),
    ...(said && { timeZone: said }),
  }
  const account = { email: owner, ...(said && calendar === undefined && { timeZone: said }) }
  const seed: Seed = { accounts: [account], calendars: [about] }
  const events = groups.flatMap((group) => eventsOf(group).map((one) => ({ ...one, uid: group.uid })))
  const taken = filterAccepted(seed, addressOf(about.id), events, (one: ParsedEvent & { uid?: string }, why) =>
    sayOf(one.uid)(one.line, `left out: the service refuses it: ${why}`),
  )
  about.events = taken.map(({ event }) => event)
  remarks.sort((a, b) => a.line - b.line)
  return Object.defineProperty(seed, 'report', { value: remarks, enumerable: false }) as ICalendarSeed
}

function checkOptions(text: string | Uint8Array, options: ICalendarOptions): ICalendarOptions {
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError('text: not a string, nor the bytes of a file')
  }
  const { owner, calendar, timeZone, alarms } = options ?? {}
  if (typeof owner !== 'string' || !EMAIL.test(owner)) throw new RangeError(`owner: not an address: ${owner}`)
  if (calendar !== undefined && !calendar) throw new RangeError('calendar: it is empty')
  if (timeZone !== undefined && !isZone(timeZone)) throw new RangeError(`timeZone: no time zone: ${timeZone}`)
  if (alarms !== undefined && alarms !== 'ignore' && alarms !== 'read') {
    throw new RangeError(`alarms: neither ignore nor read: ${alarms}`)
  }
  return { owner: addressOf(owner), calendar, timeZone, alarms }
}

/** The calendars of a file; the events that stand in none are taken for those of one. */
function requireCalendars(text: string, report: Report): Component[] {
  const root = readComponents(text, report)
  const loose = root.components.some(({ name }) => name === 'VEVENT') ? [root] : []
  const found = [...root.components.filter(({ name }) => name === 'VCALENDAR'), ...loose]
  if (found.length === 0) throw new RangeError('text: not iCalendar: it has no line BEGIN:VCALENDAR')
  const methodOf = (calendar: Component) => findText(calendar, 'method')?.toUpperCase() ?? ''
  const calendars = found.filter((calendar) => !MESSAGE_METHODS.includes(methodOf(calendar)))
  const [message] = found.filter((calendar) => !calendars.includes(calendar))
  if (message && calendars.length === 0) {
    throw new RangeError(
      `text: METHOD:${methodOf(message)} is a message about a meeting, and no calendar to start from`,
    )
  }
  if (message) report(message.line, `left out: METHOD:${methodOf(message)} is a message about a meeting`)
  return calendars
}

/** The events of some calendars by their UIDs, in their order. */
function groupByUid(
  calendars: readonly Component[],
  sceneOf: (calendar: Component, report: Report) => FileEvent['context'],
  sayOf: (uid: string | undefined) => Report,
): Group[] {
  const groups = new Map<string, Group & { changed: Map<string, FileEvent> }>()
  const made = new Map<string, number>()
  for (const calendar of calendars) {
    const context = sceneOf(calendar, sayOf(undefined))
    const zone = findProperty(calendar, 'x-wr-timezone')
    if (zone?.value.trim() && context.zones.said === undefined) {
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

/** The later of two that say the same counts. */
function addToGroup(group: Group & { changed: Map<string, FileEvent> }, entry: FileEvent): void {
  const of = findProperty(entry.event, 'recurrence-id')
  if (of && isException(entry.event))
    group.changed.set([of.parameters.get('tzid'), of.parameters.get('range'), of.value.trim()].join(' '), entry)
  else {
    const [before] = group.masters
    if (before)
      group.report(entry.event.line, `its UID was there before, in line ${before.event.line}: this one counts`)
    group.masters.unshift(entry)
  }
}

/** The same in every run; of events that say the same each has its own. */
function makeUid({ properties }: Component, made: Map<string, number>): string {
  const text = properties.map(({ name, parameters, value }) => JSON.stringify([name, ...parameters, value])).join('\n')
  const times = (made.get(text) ?? 0) + 1
  made.set(text, times)
  return `${digest(`${text}${times > 1 ? times : ''}`, 'sha1')}@fake-calendar`
}

/** The address that a file names its calendar by, as the service does with primary ones. */
export function findOwner(text: string | Uint8Array): string | undefined {
  const root = readComponents(typeof text === 'string' ? text : decodeText(text), () => undefined)
  return root.components.map((calendar) => findText(calendar, 'x-wr-calname')).find((name) => name && EMAIL.test(name))
}

/** What a remark says, in a line. */
export const formatRemark = ({ uid, line, reason }: Remark): string =>
  `line ${line}${uid === undefined ? '' : `, ${quote(uid)}`}: ${reason}`
