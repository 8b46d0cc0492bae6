import { formatUtc } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { instantOf } from '../../recurrence/zone.ts'
import { addressOf } from '../../schema/values/address.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { parseICalDateTime, parseICalDuration } from './icalDateTime.ts'
import {
  type Component,
  findProperties,
  findProperty,
  findText,
  type Property,
  quoteForRemark,
  type Report,
} from './syntax.ts'
import { type EventTimes, toSeedTime } from './times.ts'
import type { ZonedDateTime, Zones } from './zones.ts'

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

export const isCancelledComponent = (event: Component): boolean =>
  findText(event, 'status')?.toUpperCase() === 'CANCELLED'

/**
 * Returns the fields of an event of a file as a seed contains them, without its ids and its recurrence. Reports parts that
 * are left out.
 */
export function readDraft(
  event: Component,
  times: EventTimes,
  { zones, owner, calendar, alarms, report }: ReadContext,
): SeedEvent {
  const { start, end } = times
  const readWord = (name: string) => findText(event, name)?.toUpperCase() ?? ''
  const [status, visibility] = [STATUS.get(readWord('status')), CLASS.get(readWord('class'))]
  const created = parseICalDateTime(findText(event, 'created') ?? '')
  const sequence = Number(findText(event, 'sequence') ?? Number.NaN)
  const reminders = alarms ? readAlarms(event, times, zones, report) : undefined
  return {
    ...readTextField(event, 'summary'),
    ...readTextField(event, 'description'),
    ...readTextField(event, 'location'),
    start: toSeedTime(start),
    end: toSeedTime(end, start.dated ? undefined : start.zone),
    ...(status && { status }),
    ...(visibility && { visibility }),
    ...(isFreeEvent(event) && { transparency: 'transparent' as const }),
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
const isFreeEvent = (event: Component): boolean =>
  /^(TRANSPARENT|[1-9]\d*)$/i.test(findText(event, 'transp') ?? '') ||
  (!findText(event, 'transp') && findText(event, 'x-microsoft-cdo-busystatus')?.toUpperCase() === 'FREE')

type Text = 'summary' | 'description' | 'location'

function readTextField(event: Component, name: Text): Pick<SeedEvent, Text> {
  const value = findProperty(event, name)?.value
  return value ? { [name]: value } : {}
}

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

type Attendee = NonNullable<SeedEvent['attendees']>[number]
type ResponseStatus = Attendee['responseStatus']

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/
const RESPONSES = new Map<string, ResponseStatus>([
  ['ACCEPTED', 'accepted'],
  ['DECLINED', 'declined'],
  ['TENTATIVE', 'tentative'],
])

type CalendarOwner = { owner: string; calendar: string }

/**
 * Returns the address of a person: a mailto URI, or the EMAIL parameter beside another value. Returns undefined without
 * a valid one.
 */
function parseAddress({ value, parameters }: Property): string | undefined {
  const plain = /^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value.trim()
  const uri = decodeUri(plain.replace(/^mailto:\s*/i, ''))
  const address = [uri, parameters.get('email')?.replace(/^mailto:/i, '') ?? ''].find((one) => ADDRESS.test(one.trim()))
  return address === undefined ? undefined : addressOf(address.trim())
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function toPerson(property: Property, email: string): { email: string; displayName?: string } {
  const name = property.parameters.get('cn')?.trim()
  return name && addressOf(name) !== email ? { email, displayName: name } : { email }
}

/**
 * Returns the organizer and the attendees of an event. The owner becomes a guest of an event that others organize, and
 * the organizer of an event that the calendar itself organizes. Reports people without an address.
 */
export function readPeople(
  event: Component,
  { owner, calendar }: CalendarOwner,
  report: Report,
): Pick<SeedEvent, 'organizer' | 'attendees'> {
  const attendees = findProperties(event, 'attendee').flatMap((property) => {
    const email = parseAddress(property)
    if (!email) {
      const reason = `the attendee ${quoteForRemark(property.value)} was left out, because it has no e-mail address`
      report(property.line, `${reason}; write mailto:NAME@HOST`)
    }
    return email ? [toAttendee(property, email)] : []
  })
  const property = findProperty(event, 'organizer')
  const organizer = property && parseAddress(property)
  if (property && !organizer && property.value.trim() !== '') {
    const reason = `the organizer ${quoteForRemark(property.value)} has no e-mail address, so the calendar's owner is used`
    report(property.line, `${reason}; write mailto:NAME@HOST`)
  }
  if (!property || !organizer || organizer === owner || organizer === calendar)
    return attendees.length > 0 ? { attendees } : {}
  if (attendees.some(({ email }) => email === owner)) return { organizer: toPerson(property, organizer), attendees }
  return {
    organizer: toPerson(property, organizer),
    attendees: [...attendees, { email: owner, responseStatus: 'needsAction' }],
  }
}

function toAttendee(property: Property, email: string): Attendee {
  const readParameter = (name: string) => property.parameters.get(name)?.trim().toUpperCase() ?? ''
  const guests = Number(readParameter('x-num-guests'))
  const comment = property.parameters.get('x-response-comment')
  return {
    ...toPerson(property, email),
    ...(/^(ROOM|RESOURCE)$/.test(readParameter('cutype')) && { resource: true }),
    ...(/^(OPT|NON)-PARTICIPANT$/.test(readParameter('role')) && { optional: true }),
    ...(Number.isInteger(guests) && guests > 0 && guests < 1e6 && { additionalGuests: guests }),
    ...(comment && { comment }),
    responseStatus: RESPONSES.get(readParameter('partstat') || readParameter('status')) ?? 'needsAction',
  }
}

const WEB = /^https?:\/\//i
const MAX_ATTACHMENTS = 25
const MEET = /^https:\/\/meet\.google\.com\/([a-z]{3}-[a-z]{4}-[a-z]{3})\b/

export function readLinks(
  event: Component,
  report: Report,
): Pick<SeedEvent, 'source' | 'attachments' | 'conferenceData'> {
  const attachments = readAttachProperties(event, report)
  return {
    ...readUrlProperty(event, report),
    ...(attachments.length > 0 && { attachments }),
    ...readConference(event, report),
  }
}

/**
 * Returns the address of URL as `{ source }`. Returns an empty object without one, and reports an address that is not
 * of the web.
 */
function readUrlProperty(event: Component, report: Report): Pick<SeedEvent, 'source'> {
  const property = findProperty(event, 'url')
  const url = property?.value.trim()
  if (!property || !url) return {}
  if (WEB.test(url)) return { source: { url, title: findText(event, 'summary') ?? url } }
  report(property.line, `URL ${quoteForRemark(url)} was left out, because only http and https addresses are kept`)
  return {}
}

function readAttachProperties(event: Component, report: Report): NonNullable<SeedEvent['attachments']> {
  const links = findProperties(event, 'attach').filter(({ value, line }) => {
    const links = WEB.test(value.trim())
    if (!links)
      report(line, 'the attachment was left out, because only http and https links are kept; replace it by a link')
    return links
  })
  for (const { line } of links.slice(MAX_ATTACHMENTS))
    report(line, `the attachment was left out, because an event has at most ${MAX_ATTACHMENTS}`)
  return links.slice(0, MAX_ATTACHMENTS).map(({ value, parameters }) => {
    const fileUrl = value.trim()
    const mimeType = parameters.get('fmttype')
    const title = parameters.get('filename') ?? parameters.get('x-filename') ?? parameters.get('x-apple-filename')
    return { fileUrl, title: title || findFileName(fileUrl), ...(mimeType && { mimeType }) }
  })
}

const findFileName = (url: string): string => {
  const [path = url] = url.split(/[?#]/, 1)
  return path.split('/').filter(Boolean).at(-1) ?? url
}

/**
 * Returns the conference of an event as `{ conferenceData }`: the first address of the web, and phone numbers. Reports
 * the others. Returns an empty object without one.
 */
function readConference(event: Component, report: Report): Pick<SeedEvent, 'conferenceData'> {
  const googles = findProperty(event, 'x-google-conference')
  const others = findProperties(event, 'conference')
  const conferences = [...(googles ? [googles] : []), ...others]
  const video = conferences.find(({ value }) => WEB.test(value.trim()))
  if (!video) {
    for (const { value, line } of conferences)
      report(
        line,
        `the conference ${quoteForRemark(value)} was left out, because the event has no conference with an http or https address; add one`,
      )
    return {}
  }
  for (const { value, line } of conferences) {
    if (value.trim() === video.value.trim() || isPhoneUri(value)) continue
    report(line, `the conference ${quoteForRemark(value)} was left out, because an event has at most one`)
  }
  const [uri, conferenceId] = MEET.exec(video.value.trim()) ?? [video.value.trim()]
  const label = uri.replace(WEB, '')
  const phones = others.flatMap(toPhoneEntryPoints)
  const entryPoints = [{ entryPointType: 'video' as const, uri, ...(conferenceId && { label }) }, ...phones]
  if (conferenceId)
    return {
      conferenceData: {
        entryPoints,
        conferenceSolution: createConferenceSolution('hangoutsMeet', 'Google Meet'),
        conferenceId,
      },
    }
  return {
    conferenceData: {
      entryPoints,
      conferenceSolution: createConferenceSolution('addOn', video.parameters.get('label') ?? label),
    },
  }
}

const createConferenceSolution = (type: string, name: string) => ({ key: { type }, name })

function toPhoneEntryPoints({ value }: Property): { entryPointType: 'phone'; uri: string }[] {
  return isPhoneUri(value) ? [{ entryPointType: 'phone', uri: value.trim() }] : []
}

const isPhoneUri = (value: string): boolean => /^\s*tel:/i.test(value)

type Reminders = NonNullable<SeedEvent['reminders']>
type AlarmTimes = { start: ZonedDateTime; end: ZonedDateTime }

const MINUTE_MS = 60_000
const MAX_REMINDER_MINUTES = 40_320
const MAX_REMINDERS = 5

/**
 * Returns the alarms of an event as its own reminders, at most five, or undefined if it has none, so that the
 * calendar's defaults apply. Reports alarms after the start or too early for the service. Ignores those of the year
 * 1976, which Apple writes for "no alarm".
 */
export function readAlarms(event: Component, times: AlarmTimes, zones: Zones, report: Report): Reminders | undefined {
  const alarms = event.components.filter(({ name }) => name === 'VALARM')
  if (alarms.length === 0) return undefined
  const found = new Map<string, { method: string; minutes: number }>()
  for (const alarm of alarms) {
    const minutes = readMinutesBefore(alarm, times, zones, report)
    if (minutes === undefined) continue
    const method = findProperty(alarm, 'action')?.value.trim().toUpperCase() === 'EMAIL' ? 'email' : 'popup'
    if (found.size < MAX_REMINDERS) found.set(`${method} ${minutes}`, { method, minutes })
    else if (!found.has(`${method} ${minutes}`))
      report(alarm.line, `the alarm was left out, because an event has at most ${MAX_REMINDERS} reminders`)
  }
  return found.size > 0 ? { useDefault: false, overrides: [...found.values()] } : { useDefault: false }
}

/**
 * Returns how many minutes before the start an alarm is, from 0 to 40,320. Returns undefined for an alarm that is left
 * out; unless it stands for "no alarm", it is reported.
 */
function readMinutesBefore(
  alarm: Component,
  { start, end }: AlarmTimes,
  zones: Zones,
  report: Report,
): number | undefined {
  if (findProperty(alarm, 'action')?.value.trim().toUpperCase() === 'NONE') return undefined
  const trigger = findProperty(alarm, 'trigger')
  if (!trigger) {
    report(alarm.line, 'the alarm was left out, because it has no TRIGGER; add one such as TRIGGER:-PT10M')
    return undefined
  }
  const { value, line, parameters } = trigger
  const duration = parseICalDuration(value)
  const stamp = duration ? undefined : parseICalDateTime(value)
  if (!duration && !stamp) {
    const reason = `the alarm was left out, because TRIGGER ${quoteForRemark(value)} is not a duration or a time`
    report(line, `${reason}; write it like -PT10M`)
    return undefined
  }
  const related = parameters.get('related')?.toUpperCase() === 'END' ? end.at - start.at : 0
  const before = duration
    ? -(duration.days * DAY_MS + duration.time) - related
    : measureMsBefore(stamp, { start, zones, line, report })
  const minutes = Math.round(before / MINUTE_MS)
  if (stamp?.localMs !== undefined && new Date(stamp.localMs).getUTCFullYear() === 1976) return undefined
  if (before >= 0 && minutes <= MAX_REMINDER_MINUTES) return minutes
  report(
    line,
    `the alarm was left out, because reminders are 0 to ${MAX_REMINDER_MINUTES} minutes before the start; change TRIGGER`,
  )
  return undefined
}

/** Returns how many milliseconds an absolute trigger lies before the start; NaN without a trigger. */
function measureMsBefore(
  stamp: ReturnType<typeof parseICalDateTime>,
  { start, zones, line, report }: { start: ZonedDateTime; zones: Zones; line: number; report: Report },
): number {
  if (!stamp) return Number.NaN
  const governing = start.dated ? undefined : start.zone
  const begins = start.dated ? instantOf(start.at, zones.floating) : start.at
  return begins - zones.resolve(stamp, { zone: undefined, governing, recurring: false, line, report }).at
}
