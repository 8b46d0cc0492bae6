import { isZone } from '../recurrence/zone.ts'
import { digest } from '../time/digest.ts'
import type { Seed, SeedCalendar } from '../wire/seeds/seed.ts'
import { addressOf } from '../wire/values/address.ts'
import { type Entry, eventsOf, type Group, isChange, type Said, uidOf } from './assembly.ts'
import { type Component, propertyOf, readComponents, textOf } from './components.ts'
import { decoded } from './decoding.ts'
import { quoted, type Remark, type Say } from './report.ts'
import { accepted } from './trial.ts'
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
const MESSAGES = ['REPLY', 'CANCEL', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

/**
 * The seed that a file of iCalendar says. Nothing is refused for one event: the report tells what was left out or changed.
 * What is no iCalendar at all is a RangeError.
 */
export function readICalendar(text: string | Uint8Array, options: ICalendarOptions): ICalendarSeed {
  const { owner, calendar, timeZone, alarms } = checked(text, options)
  const remarks: Remark[] = []
  const sayOf =
    (uid: string | undefined): Say =>
    (line, reason) =>
      remarks.push({ ...(uid !== undefined && { uid }), line, reason })
  const calendars = calendarsIn(typeof text === 'string' ? text : decoded(text), sayOf(undefined))
  const [first] = calendars
  const named = first && textOf(first, 'x-wr-calname')
  const said = (first && new Zones(first, timeZone ?? 'UTC').said) ?? timeZone
  const groups = groupsIn(
    calendars,
    (component, say) => ({
      zones: new Zones(component, timeZone ?? 'UTC'),
      owner,
      calendar: addressOf(calendar ?? owner),
      alarms: alarms !== 'ignore',
      say,
    }),
    sayOf,
  )
  const about: SeedCalendar = {
    id: calendar ?? owner,
    ...(calendar !== undefined && { owner }),
    ...(named && addressOf(named) !== owner && { summary: named }),
    ...(first && textOf(first, 'x-wr-caldesc') && { description: textOf(first, 'x-wr-caldesc') }),
    ...(said && { timeZone: said }),
  }
  const account = { email: owner, ...(said && calendar === undefined && { timeZone: said }) }
  const seed: Seed = { accounts: [account], calendars: [about] }
  const events = groups.flatMap((group) => eventsOf(group).map((one) => ({ ...one, uid: group.uid })))
  const taken = accepted(seed, addressOf(about.id), events, (one: Said & { uid?: string }, why) =>
    sayOf(one.uid)(one.line, `left out: the service refuses it: ${why}`),
  )
  about.events = taken.map(({ event }) => event)
  remarks.sort((a, b) => a.line - b.line)
  return Object.defineProperty(seed, 'report', { value: remarks, enumerable: false }) as ICalendarSeed
}

function checked(text: string | Uint8Array, options: ICalendarOptions): ICalendarOptions {
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
function calendarsIn(text: string, say: Say): Component[] {
  const root = readComponents(text, say)
  const loose = root.components.some(({ name }) => name === 'VEVENT') ? [root] : []
  const found = [...root.components.filter(({ name }) => name === 'VCALENDAR'), ...loose]
  if (found.length === 0) throw new RangeError('text: not iCalendar: it has no line BEGIN:VCALENDAR')
  const methodOf = (calendar: Component) => textOf(calendar, 'method')?.toUpperCase() ?? ''
  const calendars = found.filter((calendar) => !MESSAGES.includes(methodOf(calendar)))
  const [message] = found.filter((calendar) => !calendars.includes(calendar))
  if (message && calendars.length === 0) {
    throw new RangeError(
      `text: METHOD:${methodOf(message)} is a message about a meeting, and no calendar to start from`,
    )
  }
  if (message) say(message.line, `left out: METHOD:${methodOf(message)} is a message about a meeting`)
  return calendars
}

/** The events of some calendars by their UIDs, in their order. */
function groupsIn(
  calendars: readonly Component[],
  sceneOf: (calendar: Component, say: Say) => Entry['scene'],
  sayOf: (uid: string | undefined) => Say,
): Group[] {
  const groups = new Map<string, Group & { changed: Map<string, Entry> }>()
  const made = new Map<string, number>()
  for (const calendar of calendars) {
    const scene = sceneOf(calendar, sayOf(undefined))
    const zone = propertyOf(calendar, 'x-wr-timezone')
    if (zone?.value.trim() && scene.zones.said === undefined) {
      scene.say(zone.line, `no time zone, and taken for ${scene.zones.floating}: ${quoted(zone.value)}`)
    }
    for (const event of calendar.components) {
      if (/^V(TODO|JOURNAL|FREEBUSY)$/.test(event.name)) {
        sayOf(uidOf(event))(event.line, `left out: a ${event.name} is no event`)
      }
      if (event.name !== 'VEVENT') continue
      const uid = uidOf(event) ?? uidMade(event, made)
      const say = sayOf(uid)
      const group = groups.get(uid) ?? { uid, mains: [], changes: [], changed: new Map(), say }
      groups.set(uid, group)
      addTo(group, { event, scene: { ...scene, say } })
    }
  }
  return [...groups.values()].map(({ changed, ...group }) => ({ ...group, changes: [...changed.values()] }))
}

/** The later of two that say the same counts. */
function addTo(group: Group & { changed: Map<string, Entry> }, entry: Entry): void {
  const of = propertyOf(entry.event, 'recurrence-id')
  if (of && isChange(entry.event))
    group.changed.set([of.parameters.get('tzid'), of.parameters.get('range'), of.value.trim()].join(' '), entry)
  else {
    const [before] = group.mains
    if (before) group.say(entry.event.line, `its UID was there before, in line ${before.event.line}: this one counts`)
    group.mains.unshift(entry)
  }
}

/** The same in every run; of events that say the same each has its own. */
function uidMade({ properties }: Component, made: Map<string, number>): string {
  const text = properties.map(({ name, parameters, value }) => JSON.stringify([name, ...parameters, value])).join('\n')
  const times = (made.get(text) ?? 0) + 1
  made.set(text, times)
  return `${digest(`${text}${times > 1 ? times : ''}`, 'sha1')}@fake-calendar`
}

/** The address that a file names its calendar by, as the service does with primary ones. */
export function ownerSaid(text: string | Uint8Array): string | undefined {
  const root = readComponents(typeof text === 'string' ? text : decoded(text), () => undefined)
  return root.components.map((calendar) => textOf(calendar, 'x-wr-calname')).find((name) => name && EMAIL.test(name))
}

/** What a remark says, in a line. */
export const remarkLine = ({ uid, line, reason }: Remark): string =>
  `line ${line}${uid === undefined ? '' : `, ${quoted(uid)}`}: ${reason}`
