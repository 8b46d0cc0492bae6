import { formatUtc } from '../model/times.ts'
import type { SeedEvent } from '../wire/seeds/seed.ts'
import { readAlarms } from './alarms.ts'
import { type Component, propertyOf, textOf } from './components.ts'
import { readLinks } from './links.ts'
import { readPeople } from './people.ts'
import type { Say } from './report.ts'
import { stampIn } from './stamps.ts'
import { seedTime, type Times } from './times.ts'
import type { Zones } from './zones.ts'

/** What an event of a file is read with. */
export type Scene = { zones: Zones; owner: string; calendar: string; alarms: boolean; say: Say }

const STATUS = new Map<string, SeedEvent['status']>([
  ['TENTATIVE', 'tentative'],
  ['CANCELLED', 'cancelled'],
])
const CLASS = new Map<string, SeedEvent['visibility']>([
  ['PUBLIC', 'public'],
  ['PRIVATE', 'private'],
  ['CONFIDENTIAL', 'confidential'],
])

export const isCancelled = (event: Component): boolean => textOf(event, 'status')?.toUpperCase() === 'CANCELLED'

/** What an event of a file says, but for what it is called and how it recurs. */
export function readDraft(event: Component, times: Times, { zones, owner, calendar, alarms, say }: Scene): SeedEvent {
  const { start, end } = times
  const word = (name: string) => textOf(event, name)?.toUpperCase() ?? ''
  const [status, visibility] = [STATUS.get(word('status')), CLASS.get(word('class'))]
  const created = stampIn(textOf(event, 'created') ?? '')
  const sequence = Number(textOf(event, 'sequence') ?? Number.NaN)
  const reminders = alarms ? readAlarms(event, times, zones, say) : undefined
  return {
    ...textIn(event, 'summary'),
    ...textIn(event, 'description'),
    ...textIn(event, 'location'),
    start: seedTime(start),
    end: seedTime(end, start.dated ? undefined : start.zone),
    ...(status && { status }),
    ...(visibility && { visibility }),
    ...(isFree(event) && { transparency: 'transparent' as const }),
    ...(created && { created: formatUtc(created.reading) }),
    ...(Number.isInteger(sequence) && sequence > 0 && sequence < 2 ** 31 && { sequence }),
    ...readPeople(event, { owner, calendar }, say),
    ...readLinks(event, say),
    ...(reminders && { reminders }),
  }
}

/** vCalendar 1.0 has numbers for it, and Outlook says of some events only in its own words that they take no time. */
const isFree = (event: Component): boolean =>
  /^(TRANSPARENT|[1-9]\d*)$/i.test(textOf(event, 'transp') ?? '') ||
  (!textOf(event, 'transp') && textOf(event, 'x-microsoft-cdo-busystatus')?.toUpperCase() === 'FREE')

type Text = 'summary' | 'description' | 'location'

function textIn(event: Component, name: Text): Pick<SeedEvent, Text> {
  const value = propertyOf(event, name)?.value
  return value ? { [name]: value } : {}
}

/** A seed says with null that an instance lacks them. */
const WHOLE = ['conferenceData', 'reminders', 'source'] as const

/** What an instance does not say it does not have, whatever its series says. */
export const saidInFull = (draft: SeedEvent, series: SeedEvent): SeedEvent => ({
  ...Object.fromEntries(WHOLE.filter((field) => series[field]).map((field) => [field, null])),
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
