import { formatUtc } from '../../model/events/times.ts'
import { addressOf } from '../../schema/values/address.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { readReminders } from './alarms.ts'
import { parseICalDateTime } from './icalDateTime.ts'
import { quoteForRemark, type Report } from './remarks.ts'
import { type Component, findProperties, findProperty, findText, findWord, type Property } from './syntax.ts'
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

export const isCancelledComponent = (event: Component): boolean => findWord(event, 'status') === 'CANCELLED'

/**
 * Returns the fields of an event of a file as a seed contains them, without its ids and its recurrence. Reports parts that
 * are left out.
 */
export function readDraft(event: Component, times: EventTimes, context: ReadContext): SeedEvent {
  const { zones, alarms, report } = context
  const { start, end } = times
  const [status, visibility] = [STATUS.get(findWord(event, 'status')), CLASS.get(findWord(event, 'class'))]
  const created = parseICalDateTime(findText(event, 'created') ?? '')
  const sequence = parseCount(findText(event, 'sequence'), 2 ** 31)
  const reminders = alarms ? readReminders(event, times, zones, report) : undefined
  const attachments = readAttachments(event, report)
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
    ...(sequence && { sequence }),
    ...readPeople(event, context),
    ...readSource(event, report),
    ...(attachments.length > 0 && { attachments }),
    ...readConference(event, report),
    ...(reminders && { reminders }),
  }
}

/** Parses a whole number from 1 up to a limit. Returns undefined for anything else. */
function parseCount(text: string | undefined, limit: number): number | undefined {
  const count = Number(text)
  return Number.isInteger(count) && count > 0 && count < limit ? count : undefined
}

/**
 * Returns true for an event that blocks no time. vCalendar 1.0 writes numbers, and Outlook marks some events as free
 * only in a property of its own.
 */
function isFreeEvent(event: Component): boolean {
  const transparency = findWord(event, 'transp')
  if (transparency === '') return findWord(event, 'x-microsoft-cdo-busystatus') === 'FREE'
  return /^(TRANSPARENT|[1-9]\d*)$/.test(transparency)
}

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

/**
 * Returns the address of a person: a mailto URI, or the EMAIL parameter beside another value. Returns undefined without
 * a valid one.
 */
function parseAddress({ value, parameters }: Property): string | undefined {
  const plain = /^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value
  const found = [decodeUri(plain), parameters.email ?? '']
    .map((one) => one.replace(/^\s*mailto:/i, '').trim())
    .find((one) => ADDRESS.test(one))
  return found === undefined ? undefined : addressOf(found)
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function toPerson({ parameters }: Property, email: string): { email: string; displayName?: string } {
  const name = parameters.cn?.trim()
  return name && addressOf(name) !== email ? { email, displayName: name } : { email }
}

/**
 * Returns the organizer and the attendees of an event. The owner becomes a guest of an event that others organize, and
 * the organizer of an event that the calendar itself organizes. Reports people without an address.
 */
function readPeople(
  event: Component,
  { owner, calendar, report }: ReadContext,
): Pick<SeedEvent, 'organizer' | 'attendees'> {
  const attendees = findProperties(event, 'attendee').flatMap((property) => {
    const email = parseAddress(property)
    if (email) return [toAttendee(property, email)]
    const reason = `the attendee ${quoteForRemark(property.value)} was left out, because it has no e-mail address`
    report(property.line, `${reason}; write mailto:NAME@HOST`)
    return []
  })
  const property = findProperty(event, 'organizer')
  const organizer = property && parseAddress(property)
  if (property && !organizer && property.value.trim() !== '') {
    const reason = `the organizer ${quoteForRemark(property.value)} has no e-mail address, so the calendar's owner is used`
    report(property.line, `${reason}; write mailto:NAME@HOST`)
  }
  if (!property || !organizer || organizer === owner || organizer === calendar)
    return attendees.length > 0 ? { attendees } : {}
  const isGuest = attendees.some(({ email }) => email === owner)
  if (!isGuest) attendees.push({ email: owner, responseStatus: 'needsAction' })
  return { organizer: toPerson(property, organizer), attendees }
}

function toAttendee(property: Property, email: string): Attendee {
  const { parameters } = property
  const additionalGuests = parseCount(parameters['x-num-guests'], 1e6)
  const comment = parameters['x-response-comment']
  const answer = (parameters.partstat ?? parameters.status ?? '').trim().toUpperCase()
  return {
    ...toPerson(property, email),
    ...(/^\s*(ROOM|RESOURCE)\s*$/i.test(parameters.cutype ?? '') && { resource: true }),
    ...(/^\s*(OPT|NON)-PARTICIPANT\s*$/i.test(parameters.role ?? '') && { optional: true }),
    ...(additionalGuests && { additionalGuests }),
    ...(comment && { comment }),
    responseStatus: RESPONSES.get(answer) ?? 'needsAction',
  }
}

const WEB = /^https?:\/\//i
const MAX_ATTACHMENTS = 25
const MEET = /^https:\/\/meet\.google\.com\/([a-z]{3}-[a-z]{4}-[a-z]{3})\b/

/** Returns the address of URL as `{ source }`. Returns an empty object without one, and reports one that is not of the web. */
function readSource(event: Component, report: Report): Pick<SeedEvent, 'source'> {
  const property = findProperty(event, 'url')
  const url = property?.value.trim()
  if (!property || !url) return {}
  if (WEB.test(url)) return { source: { url, title: findText(event, 'summary') ?? url } }
  report(property.line, `URL ${quoteForRemark(url)} was left out, because only http and https addresses are kept`)
  return {}
}

function readAttachments(event: Component, report: Report): NonNullable<SeedEvent['attachments']> {
  const all = findProperties(event, 'attach')
  const links = all.filter(({ value }) => WEB.test(value.trim()))
  const kept = links.slice(0, MAX_ATTACHMENTS)
  for (const property of all.filter((one) => !kept.includes(one))) {
    const reason = links.includes(property)
      ? `an event has at most ${MAX_ATTACHMENTS}`
      : 'only http and https links are kept; replace it by a link'
    report(property.line, `the attachment was left out, because ${reason}`)
  }
  return kept.map(({ value, parameters }) => {
    const fileUrl = value.trim()
    const mimeType = parameters.fmttype
    const title = parameters.filename ?? parameters['x-filename'] ?? parameters['x-apple-filename']
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
  const conferences = [
    ...findProperties(event, 'x-google-conference').slice(0, 1),
    ...findProperties(event, 'conference'),
  ].map(({ value, ...rest }) => ({ ...rest, value: value.trim() }))
  const video = conferences.find(({ value }) => WEB.test(value))
  const phones = conferences.filter(({ value }) => /^tel:/i.test(value))
  for (const one of conferences) {
    if (video && (one.value === video.value || phones.includes(one))) continue
    const reason = video
      ? 'an event has at most one'
      : 'the event has no conference with an http or https address; add one'
    report(one.line, `the conference ${quoteForRemark(one.value)} was left out, because ${reason}`)
  }
  if (!video) return {}
  const [uri, conferenceId] = MEET.exec(video.value) ?? [video.value]
  const label = uri.replace(WEB, '')
  const [type, name] = conferenceId ? ['hangoutsMeet', 'Google Meet'] : ['addOn', video.parameters.label ?? label]
  const entryPoints = [
    { entryPointType: 'video' as const, uri, ...(conferenceId && { label }) },
    ...phones.map(({ value }) => ({ entryPointType: 'phone' as const, uri: value })),
  ]
  const conferenceSolution = { key: { type }, name }
  return { conferenceData: { entryPoints, conferenceSolution, ...(conferenceId && { conferenceId }) } }
}
