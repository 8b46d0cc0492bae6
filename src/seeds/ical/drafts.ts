import { formatUtc } from '../../model/times.ts'
import type { SeedEvent } from '../../wire/seeds/seed.ts'
import { readAlarms } from './alarms.ts'
import { type Component, findProperty, findText } from './components.ts'
import { parseDateTime } from './icalDateTime.ts'
import { readLinks } from './links.ts'
import { readPeople } from './people.ts'
import type { Report } from './report.ts'
import { type EventTimes, toSeedTime } from './times.ts'
import type { Zones } from './zones.ts'

/** What an event of a file is read with. */
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

export const isCancelled = (event: Component): boolean => findText(event, 'status')?.toUpperCase() === 'CANCELLED'

/** What an event of a file says, but for what it is called and how it recurs. */
export function readDraft(
  event: Component,
  times: EventTimes,
  { zones, owner, calendar, alarms, report }: ReadContext,
): SeedEvent {
  const { start, end } = times
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
    ...(created && { created: formatUtc(created.reading) }),
    ...(Number.isInteger(sequence) && sequence > 0 && sequence < 2 ** 31 && { sequence }),
    ...readPeople(event, { owner, calendar }, report),
    ...readLinks(event, report),
    ...(reminders && { reminders }),
  }
}

/** vCalendar 1.0 has numbers for it, and Outlook says of some events only in its own words that they take no time. */
const isFree = (event: Component): boolean =>
  /^(TRANSPARENT|[1-9]\d*)$/i.test(findText(event, 'transp') ?? '') ||
  (!findText(event, 'transp') && findText(event, 'x-microsoft-cdo-busystatus')?.toUpperCase() === 'FREE')

type Text = 'summary' | 'description' | 'location'

function textField(event: Component, name: Text): Pick<SeedEvent, Text> {
  const value = findProperty(event, name)?.value
  return value ? { [name]: value } : {}
}

/** A seed says with null that an instance lacks them. */
const NULLABLE_FIELDS = ['conferenceData', 'reminders', 'source'] as const

/** What an instance does not say it does not have, whatever its series says. */
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
