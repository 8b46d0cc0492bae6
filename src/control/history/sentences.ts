import type { Channel } from '../../model/channel.ts'
import { formatOffset } from '../../recurrence/format.ts'
import { instantAt, offsetAt, wallTimeAt } from '../../recurrence/zone.ts'
import type { AclRule } from '../../schema/aclRule.ts'
import type { Event } from '../../schema/event.ts'
import type { Setting } from '../../schema/setting.ts'
import type { Change, ChangeRecord } from './change.ts'
import type { KindName } from './kinds.ts'

/** Returns one sentence per change, in the same order: `alice: "Stand-up" 2026-03-09: bob needsAction → accepted`. */
export function toSentences(found: readonly ChangeRecord[]): string[] {
  const name = createNameFormatter(found.flatMap(addressesIn))
  return found.map((one) => `${formatOwner(one, name)}: ${SENTENCES[one.change.kind](one, name)}`)
}

/** Returns the addresses of the account, of the grantee and of the guests of a change. */
function addressesIn({ change: { account, kind, title }, was, is }: ChangeRecord): string[] {
  const guests = kind === 'event' ? [was, is].flatMap((event) => (event as Event | undefined)?.attendees ?? []) : []
  return [...(account ? [account] : []), ...(kind === 'acl' ? [title] : []), ...guests.map(({ email }) => email)]
}

/** Formats the account (or the calendar id without one), and the title of the calendar if it is not the primary one. */
function formatOwner({ change: { account, kind, calendarId }, calendar }: ChangeRecord, name: FormatName): string {
  const within = (kind === 'event' || kind === 'acl') && calendar !== undefined
  const who = account === undefined ? (calendarId ?? '') : name(account)
  return within ? `${who}, ${formatTitle(calendar)}` : who
}

/** Formats a title in quotes; an empty one as `(no title)`. */
const formatTitle = (title: string): string => (title === '' ? '(no title)' : JSON.stringify(title))

/** Formats a change without its account. */
type FormatSentence = (found: ChangeRecord, name: FormatName) => string

/** The formats by kind. `was` and `is` of the change have the type of that kind. */
const SENTENCES: Record<KindName, FormatSentence> = {
  event({ change, was, is }, name) {
    const event = (was ?? is) as Event
    const title = formatTitle(event.summary ?? '')
    if (change.change === 'changed')
      return `${title} ${formatDay(event.start)}: ${formatEventFields(change, was as Event, is as Event, name)}`
    const guests = (event.attendees ?? []).filter(({ email }) => email !== event.organizer?.email)
    const guestNames = change.change === 'added' ? guests.map(({ email }) => name(email)) : []
    const recurring = event.recurrence ? ', recurring' : ''
    return `${title} ${formatTime(event)} ${change.change}${recurring}${guestNames.length > 0 ? `, with ${joinNames(guestNames)}` : ''}`
  },
  calendar: ({ change }) => resourceSentence(`calendar ${formatTitle(change.title)}`, change),
  calendarList({ change }) {
    const title = formatTitle(change.title)
    if (change.change === 'added') return `${title} added to the list of calendars`
    if (change.change === 'deleted') return `${title} taken off the list of calendars`
    return `${title} on the list of calendars: ${formatFields(change)}`
  },
  acl({ change: { change, title }, was, is }, name) {
    const [before, after] = [(was as AclRule | undefined)?.role, (is as AclRule | undefined)?.role]
    const { type } = ((is ?? was) as AclRule).scope
    const guestNames = type === 'default' ? 'everybody' : type === 'domain' ? `all of ${title}` : name(title)
    if (change === 'added') return `shared with ${guestNames} as ${after}`
    return change === 'deleted'
      ? `no longer shared with ${guestNames}, who was ${before}`
      : `${guestNames} ${before} → ${after}`
  },
  setting({ change: { change, title }, was, is }) {
    const [before, after] = [(was as Setting | undefined)?.value, (is as Setting | undefined)?.value]
    return change === 'changed'
      ? `setting ${title} ${before} → ${after}`
      : `setting ${title} ${change}, ${after ?? before}`
  },
  channel({ change, was, is }) {
    const { resource } = (is ?? was) as Channel
    return resourceSentence(`channel ${formatTitle(change.title)} on ${resource}`, change, {
      added: 'opened',
      deleted: 'stopped',
    })
  },
}

/** Formats the change of a resource by its fields. `verbs` replace the words `added` and `deleted`. */
function resourceSentence(
  thing: string,
  change: Change,
  verbs: Partial<Record<Change['change'], string>> = {},
): string {
  return change.change === 'changed'
    ? `${thing}: ${formatFields(change)}`
    : `${thing} ${verbs[change.change] ?? change.change}`
}

/** Formats all changed fields as `path old → new`. */
const formatFields = ({ fields }: Change): string =>
  Object.entries(fields)
    .map(([path, [was, is]]) => `${path} ${formatFieldValue(was)} → ${formatFieldValue(is)}`)
    .join(', ') || 'nothing that shows'

/** Formats the changed fields of an event: its times first, then the others in their order, and guests by name. */
function formatEventFields({ fields }: Change, was: Event, is: Event, name: FormatName): string {
  const parts: string[] = []
  const times = Object.keys(fields).filter((path) => /^(?:start|end)\./.test(path))
  if (times.length > 0) parts.push(formatTimeChange(was, is))
  for (const [path, [before, after]] of Object.entries(fields)) {
    if (times.includes(path)) continue
    const [, email, field] = /^attendees\[(.*?)\](?:\.(.*))?$/.exec(path) ?? []
    if (email === undefined) parts.push(`${path} ${formatFieldValue(before)} → ${formatFieldValue(after)}`)
    else if (field === undefined) parts.push(`${name(email)} ${before === null ? 'invited' : 'no longer invited'}`)
    else if (field === 'responseStatus') parts.push(`${name(email)} ${before} → ${after}`)
    else parts.push(`${name(email)}'s ${field} ${formatFieldValue(before)} → ${formatFieldValue(after)}`)
  }
  return parts.join(', ') || 'nothing that shows'
}

/** Joins names: `alice, bob and carol`. */
const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** In characters. */
const MAX_VALUE_LENGTH = 60

/** Formats a value as JSON, cut above MAX_VALUE_LENGTH. A missing value is `none`. */
function formatFieldValue(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  const text = JSON.stringify(value)
  if (text.length <= MAX_VALUE_LENGTH) return text
  return `${text.slice(0, MAX_VALUE_LENGTH - 1)}…${typeof value === 'string' ? '"' : ''}`
}

/** Returns the name of a person in a sentence, given the address. */
export type FormatName = (address: string) => string

/**
 * Returns a function that formats an address as its local part (`alice`), or as the whole address if several of
 * `addresses` have that local part.
 */
export function createNameFormatter(addresses: Iterable<string>): FormatName {
  const owners = new Map<string, Set<string>>()
  for (const address of addresses) {
    const local = toLocalPart(address)
    owners.set(local, (owners.get(local) ?? new Set()).add(address))
  }
  return (address) => {
    const local = toLocalPart(address)
    return (owners.get(local)?.size ?? 0) > 1 ? address : local
  }
}

/** Returns the part before the `@`. Returns a text without one, or with none before it, unchanged. */
const toLocalPart = (address: string): string => address.split('@')[0] || address

type EventTimes = Pick<Event, 'start' | 'end'>
type EventTime = Event['start']

/** Returns the date of a time in its own zone: `2026-03-09`. */
export const formatDay = (time: EventTime): string => wallTimeOf(time).slice(0, 10)

/**
 * Returns the wall time in the time's own zone (UTC without one): `2026-03-09 12:00`, or only the date of an all-day
 * event. The second of two equal wall times, when clocks go back, has its offset appended.
 */
function wallTimeOf({ date, dateTime = '', timeZone = 'UTC' }: EventTime): string {
  if (date !== undefined) return date
  const instant = Date.parse(dateTime)
  const wall = wallTimeAt(instant, timeZone)
  const offset = instantAt(wall, timeZone) < instant ? formatOffset(offsetAt(instant, timeZone)) : ''
  return wall.slice(0, 16).replace('T', ' ') + offset
}

const DAY_MS = 86_400_000

/**
 * Formats the times of an event without its first day: `12:00–13:00`. If it ends on a later day, the result contains
 * that day: `22:00–2026-03-10 01:00`, all-day `to 2026-03-10`. The result is empty for one whole day.
 */
export function formatHours({ start, end }: EventTimes): string {
  const [from, to] = [wallTimeOf(start), wallTimeOf(end)]
  if (start.date !== undefined) {
    const last = new Date(Date.parse(to) - DAY_MS).toISOString().slice(0, 10)
    return last > from ? `to ${last}` : ''
  }
  return `${from.slice(11)}–${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`
}

/** Formats the first day and the times of an event: `2026-03-09 12:00–13:00`. */
export const formatTime = (times: EventTimes): string => `${formatDay(times.start)} ${formatHours(times)}`.trimEnd()

/**
 * Formats a change of times, for a sentence that already contains the former day: `12:00–13:00 → 14:00–15:00`, with the
 * new day if it differs. If the wall times are equal, formats the change of zones.
 */
export function formatTimeChange(was: EventTimes, is: EventTimes): string {
  const sameDay =
    formatDay(was.start) === formatDay(is.start) && was.start.date === undefined && is.start.date === undefined
  if (sameDay && formatHours(was) !== formatHours(is)) return `${formatHours(was)} → ${formatHours(is)}`
  if (formatTime(was) !== formatTime(is)) return `${formatHours(was) || formatDay(was.start)} → ${formatTime(is)}`
  return `${formatZones(was)} → ${formatZones(is)}`
}

/** Formats the zones of start and end, which are mostly one. */
const formatZones = ({ start, end }: EventTimes): string => {
  const [from = 'none', to = 'none'] = [start.timeZone, end.timeZone]
  return from === to ? from : `${from} to ${to}`
}
