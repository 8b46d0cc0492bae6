import { Store } from '../../db/store.ts'
import { wallTimeAt } from '../../recurrence/zone.ts'
import type { Event, EventDateTime } from '../../schema/event.ts'
import { limitLines } from '../../schema/values/limitLines.ts'
import { shorten, shortenLine } from '../../schema/values/shownText.ts'
import { diffSnapshots } from '../history/diff.ts'
import type { World } from './world.ts'

const MAX_LINES = 100
export const NO_EVENTS = 'no events'

/**
 * Formats the time of the world and its events as text: by calendar and day, in the zone of the owner's account. A series has
 * one line, at its start, and each of its changed instances another. Copies of guests are left out.
 */
export function formatWorld({ data: { accounts, clock, store } }: World): string {
  const [first] = accounts.values()
  const zoneOf = (account: string | undefined) => accounts.get(account ?? '')?.timeZone ?? 'UTC'
  const calendars = new Map<string, ShownEvent[]>()
  for (const { change, resource } of diffSnapshots(new Store().snapshot(), store.snapshot())) {
    if (change.kind !== 'event') continue
    const zone = zoneOf(change.account)
    const calendar = `${shorten(String(change.calendarId))} (${zone})`
    calendars.set(calendar, calendars.get(calendar) ?? [])
    calendars.get(calendar)?.push(formatShownEvent(resource as Event, zone))
  }
  const lines = [...calendars].flatMap(([calendar, events]) => [calendar, ...groupByDay(events)])
  const now = wallTimeAt(clock.now(), zoneOf(first?.email)).replace('T', ' ')
  const head = `It is ${formatDay(now)} ${now.slice(11, 16)} (${zoneOf(first?.email)})`
  return [head, ...(lines.length === 0 ? [NO_EVENTS] : limitLines(lines, MAX_LINES))].join('\n')
}

type LocalTime = { day: string; time?: string }
type ShownEvent = { from: LocalTime; line: string }

function toLocalTime({ date, dateTime }: EventDateTime, zone: string): LocalTime {
  if (dateTime === undefined || dateTime === null) return { day: String(date) }
  const [day = '', time = ''] = wallTimeAt(Date.parse(dateTime), zone).split('T')
  return { day, time: time.slice(0, 5) }
}

function groupByDay(events: readonly ShownEvent[]): string[] {
  const sorted = events.toSorted((a, b) => compareText(toDaySortKey(a.from), toDaySortKey(b.from)))
  return sorted.flatMap(({ from: { day }, line }, at) => [
    ...(day === sorted[at - 1]?.from.day ? [] : [`  ${formatDay(day)}`]),
    `    ${line}`,
  ])
}

const toDaySortKey = ({ day, time = '' }: LocalTime): string => day + time
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Returns `Mon 2026-03-02`. */
const formatDay = (text: string): string => {
  const day = text.slice(0, 10)
  return `${WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]} ${day}`
}

const ANSWERS: Readonly<Record<string, string>> = { needsAction: 'no answer' }

function formatShownEvent({ start, end, summary, location, attendees, recurrence }: Event, zone: string): ShownEvent {
  const from = toLocalTime(start, zone)
  const guests = (attendees ?? []).filter(({ organizer }) => organizer !== true)
  const parts = [
    `${formatSpan(from, toLocalTime(end, zone))} ${summary ?? '(no title)'}`,
    ...(location ? [`at ${location}`] : []),
    ...(recurrence ? [`repeated by ${recurrence.join(' ')}`] : []),
    ...(guests.length > 0
      ? [
          guests
            .map(({ email, responseStatus = '' }) => `${email}: ${ANSWERS[responseStatus] ?? responseStatus}`)
            .join(', '),
        ]
      : []),
  ]
  return { from, line: shortenLine(parts.join('; ')) }
}

/** The end of an all-day event is exclusive. */
function formatSpan(from: LocalTime, to: LocalTime): string {
  if (from.time !== undefined) return `${from.time}-${from.day === to.day ? '' : `${formatDay(to.day)} `}${to.time}`
  const last = new Date(Date.parse(`${to.day}T00:00:00Z`) - 1).toISOString().slice(0, 10)
  return last <= from.day ? 'all day' : `all day until ${formatDay(last)}`
}
