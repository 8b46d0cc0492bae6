import { DAY_MS, isWeekend } from '../../recurrence/days.ts'
import { addDays } from '../../recurrence/format.ts'
import { isZone } from '../../recurrence/zone.ts'
import { toShown } from '../../schema/values/shownText.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toReply } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'
import { formatTime, parseTime, resolveTime, resolveZone } from '../times.ts'

type SuggestTimeArguments = ToolArguments<'suggest_time'>

const MINUTE_MS = 60_000
const DEFAULT_DURATION = 30
const DEFAULT_SLOTS = 5
/** Periods start on a multiple of so many minutes of the hour (behaviour 17.11). */
const STEP_MS = 15 * MINUTE_MS
const WORKING_DAY = { startHour: '09:00', endHour: '17:00' }

/** A period in epoch milliseconds, the end exclusive. */
type Period = { readonly start: number; readonly end: number }
type Unreadable = { errors?: { reason: string }[] }
type FreeBusy = {
  calendars: Record<string, Unreadable & { busy: { start: string; end: string }[] }>
  groups?: Record<string, Unreadable>
}

/** Suggests the first periods in which all guests are free (behaviour 17.11). */
export async function runSuggestTime(host: ToolHost, args: SuggestTimeArguments): Promise<object> {
  const { attendeeEmails, durationMinutes = DEFAULT_DURATION, preferences = {} } = args
  if (attendeeEmails.length === 0) throw new ToolError('Missing required field: attendeeEmails')
  if (durationMinutes < 0) throw new ToolError(`Invalid value at 'durationMinutes' (TYPE_INT32), ${durationMinutes}`)
  const start = parseTime(args.startTime, 'startTime')
  const zone = resolveZone(args.timeZone, start.offset?.replace('Z', '+00:00') ?? host.timeZone)
  const to = resolveTime(parseTime(args.endTime, 'endTime'), zone)
  const from = Math.max(resolveTime(start, zone), Math.min(host.now, to - 1))
  const timeRange = { timeMin: formatTime(from, zone), timeMax: formatTime(to, zone) }
  const items = [...new Set(attendeeEmails)].map((id) => ({ id }))
  const { calendars, groups = {} } = await host.callRest<FreeBusy>('freebusy.query', {}, { ...timeRange, items })
  requireReadable({ ...groups, ...calendars })
  const busy = Object.values(calendars)
    .flatMap((calendar) => calendar.busy)
    .map((one) => ({ start: Date.parse(one.start), end: Date.parse(one.end) }))
    .sort((one, other) => one.start - other.start)
  const length = (durationMinutes || DEFAULT_DURATION) * MINUTE_MS
  const limit = preferences.pageSize && preferences.pageSize > 0 ? preferences.pageSize : DEFAULT_SLOTS
  const slots: object[] = []
  for (const day of listDays({ start: from, end: to }, preferences, zone))
    for (const slot of listFree(day, busy, length)) {
      slots.push(toSlot(slot, zone))
      if (slots.length === limit) return toReply({ timeSlots: slots })
    }
  return toReply({ timeSlots: slots })
}

const MAX_NAMED = 5

/** Throws a ToolError that names the guests whose calendars cannot be read: a period without them would be a guess. */
function requireReadable(found: Readonly<Record<string, Unreadable>>): void {
  const failed = Object.entries(found).flatMap(([email, { errors = [] }]) =>
    errors[0] ? [`${email} (${errors[0].reason})`] : [],
  )
  if (failed.length === 0) return
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : ''
  throw new ToolError(
    `The calendars of these attendees cannot be read: ${failed.slice(0, MAX_NAMED).join(', ')}${more}`,
  )
}

/** Returns the name of a zone, undefined for an offset that no zone has always. */
function toZoneName(zone: string): string | undefined {
  const [, sign, hours = '', minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  if (sign === undefined) return zone
  if (Number(hours) === 0 && minutes === '00') return 'UTC'
  // The sign of such a zone is that of POSIX.
  const name = `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`
  return minutes === '00' && isZone(name) ? name : undefined
}

/** Yields the working hours of each day, within the window. */
function* listDays(window: Period, preferences: SuggestTimeArguments['preferences'], zone: string): Generator<Period> {
  const { startHour, endHour, excludeWeekends } = { ...WORKING_DAY, ...preferences }
  const [opens, closes] = [parseHour(startHour, 'startHour'), parseHour(endHour, 'endHour')]
  const first = formatTime(window.start, zone).slice(0, 'yyyy-mm-dd'.length)
  for (let at = 0; ; at++) {
    const date = addDays(first, at)
    const midnight = { wall: `${date}T00:00:00`, offset: undefined }
    if (resolveTime(midnight, zone) >= window.end) return
    if (excludeWeekends && isWeekend(Date.parse(date) / DAY_MS)) continue
    const start = resolveTime({ wall: `${date}T${opens}:00`, offset: undefined }, zone)
    const end = resolveTime({ wall: `${date}T${closes}:00`, offset: undefined }, zone)
    yield { start: Math.max(start, window.start), end: Math.min(end, window.end) }
  }
}

function parseHour(text: string, name: string): string {
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) || (text === '24:00' && name === 'endHour')) return text
  throw new ToolError(`Invalid value at 'preferences.${name}' (TYPE_STRING), ${toShown(text)}`)
}

/** Yields the free periods of a length within a day, one after the other. `busy` is sorted by start. */
function* listFree(day: Period, busy: readonly Period[], length: number): Generator<Period> {
  let start = Math.ceil(day.start / STEP_MS) * STEP_MS
  while (start + length <= day.end) {
    const conflict = busy.find((one) => one.start < start + length && one.end > start)
    if (!conflict) yield { start, end: start + length }
    start = Math.ceil((conflict?.end ?? start + length) / STEP_MS) * STEP_MS
  }
}

function toSlot({ start, end }: Period, zone: string): object {
  const [from, to] = [formatTime(start, zone), formatTime(end, zone)]
  const times = { startTime: from, endTime: to, durationMinutes: (end - start) / MINUTE_MS }
  const timeZone = toZoneName(zone)
  return { start: { dateTime: from, timeZone }, end: { dateTime: to, timeZone }, ...times }
}
