import { formatUtc } from '../../model/events/times.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { readAlarms } from './alarms.ts'
import { type Component, findProperty, findText } from './components.ts'
import { parseDateTime } from './icalDateTime.ts'
import { readLinks } from './links.ts'
import { readPeople } from './people.ts'
import type { Report } from './report.ts'
import { type EventTimes, toSeedTime } from './times.ts'
import type { Zones } from './zones.ts'

/**
 * The context for parsing an event of a file: the zones of its calendar, the address of the owner, the id of the
 * calendar, true to read alarms, and the function that reports.
 */
export type ReadContext = { zones: Zones; owner: string; calendar: string; alarms: boolean; report: Report }

const STATUS = new Map<string, SeedEvent['status']>([
  ['TENTATIVE', 'tentative'],
  ['CANCELLED', 'cancelled'],
])
const CLASS = new Map<string, SeedEvent['visibility']>([
  ['PUBLIC', 'public'],
  ['PRIVATE', 'private'],
  ['CONFIDENTIAL', 'confidential'],
])

/** Returns true for an event with the status CANCELLED. */
export const isCancelled = (event: Component): boolean => findText(event, 'status')?.toUpperCase() === 'CANCELLED'

/** Returns the fields of an event of a file, without its ids and its recurrence. */
export function readDraft(
  event: Component,
  times: EventTimes,
  { zones, owner, calendar, alarms, report }: ReadContext,
): SeedEvent {
  const { start, end } = times
  /** Returns the value of a property in upper case; empty without one. */
  const word = (name: string) => findText(event, name)?.toUpperCase() ?? ''
  const [status, visibility] = [STATUS.get(word('status')), CLASS.get(word('class'))]
  const created = parseDateTime(findText(event, 'created') ?? '')
  const sequence = Number(findText(event, 'sequence') ?? Number.NaN)
  const reminders = alarms ? readAlarms(event, times, zones, report) : undefined
  return {
    ...textField(event, 'summary'),
    ...textField(event, 'description'),
    ...textField(event, 'location'),
    start: toSeedTime(start),
    end: toSeedTime(end, start.dated ? undefined : start.zone),
    ...(status && { status }),
    ...(visibility && { visibility }),
    ...(isFree(event) && { transparency: 'transparent' as const }),
    ...(created && { created: formatUtc(created.localMs) }),
    ...(Number.isInteger(sequence) && sequence > 0 && sequence < 2 ** 31 && { sequence }),
    ...readPeople(event, { owner, calendar }, report),
    ...readLinks(event, report),
    ...(reminders && { reminders }),
  }
}

/**
 * Returns true for an event that blocks no time. vCalendar 1.0 writes numbers, and Outlook marks some events as free
 * only in a property of its own.
 */
const isFree = (event: Component): boolean =>
  /^(TRANSPARENT|[1-9]\d*)$/i.test(findText(event, 'transp') ?? '') ||
  (!findText(event, 'transp') && findText(event, 'x-microsoft-cdo-busystatus')?.toUpperCase() === 'FREE')

type Text = 'summary' | 'description' | 'location'

/** Returns a text of an event as a field; an empty object without one. */
function textField(event: Component, name: Text): Pick<SeedEvent, Text> {
  const value = findProperty(event, name)?.value
  return value ? { [name]: value } : {}
}

/** Fields that a seed sets to null if an instance lacks them. */
const NULLABLE_FIELDS = ['conferenceData', 'reminders', 'source'] as const

/**
 * Returns the fields of an exception with the defaults of those that it lacks, so that it does not inherit them from
 * its series.
 */
export const withDefaults = (draft: SeedEvent, series: SeedEvent): SeedEvent => ({
  ...Object.fromEntries(NULLABLE_FIELDS.filter((field) => series[field]).map((field) => [field, null])),
  summary: '',
  description: '',
  location: '',
  transparency: 'opaque',
  visibility: 'default',
  attendees: [],
  attachments: [],
  status: 'confirmed',
  ...draft,
})
