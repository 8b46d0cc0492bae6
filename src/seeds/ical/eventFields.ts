import { basename } from 'node:path'
import { decodePart } from '../../http/urls.ts'
import { formatUtc } from '../../model/events/times.ts'
import { isSameAddress, shownAddress } from '../../schema/values/address.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { readAlarms } from './alarms.ts'
import { parseFileDateTime } from './icalDateTime.ts'
import { quoteForRemark, type Report } from './remarks.ts'
import { type Component, findProperties, findProperty, findText, findWord, type Property } from './syntax.ts'
import { type EventTimes, toSeedTime } from './times.ts'
import type { ReadContext } from './zones.ts'

const findKeyword = <T extends string>(word: string, keywords: readonly T[]): T | undefined =>
  keywords.find((one) => one.toUpperCase() === word)

export const isCancelledComponent = (event: Component): boolean => findWord(event, 'status') === 'CANCELLED'

export function readFileDraft(event: Component, times: EventTimes, context: ReadContext): SeedEvent {
  const { report } = context
  const { start, end } = times
  const texts = ['summary', 'description', 'location'].map((name) => [name, findProperty(event, name)?.value])
  const status = findKeyword(findWord(event, 'status'), ['tentative', 'cancelled'])
  const visibility = findKeyword(findWord(event, 'class'), ['public', 'private', 'confidential'])
  const stamps = { created: 'created', updated: 'last-modified' }
  const written = Object.entries(stamps).map(
    ([field, name]) => [field, parseFileDateTime(findText(event, name) ?? '')] as const,
  )
  const sequence = parsePositiveCount(findText(event, 'sequence'), 2 ** 31)
  const reminders = context.alarms ? readAlarms(event, times, context) : undefined
  const attachments = readFileAttachments(event, report)
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value)),
    start: toSeedTime(start),
    end: toSeedTime(end, start.dated ? undefined : start.zone),
    ...(status && { status }),
    ...(visibility && { visibility }),
    ...(isFreeEvent(event) && { transparency: 'transparent' as const }),
    ...Object.fromEntries(written.flatMap(([field, time]) => (time ? [[field, formatUtc(time.localMs)]] : []))),
    ...(sequence && { sequence }),
    ...readPeople(event, context),
    ...readFileSource(event, report),
    ...(attachments.length > 0 && { attachments }),
    ...readConference(event, report),
    ...(reminders && { reminders }),
  }
}

function parsePositiveCount(text: string | undefined, limit: number): number | undefined {
  const count = Number(text)
  return Number.isInteger(count) && count > 0 && count < limit ? count : undefined
}

/** vCalendar 1.0 writes numbers, and Outlook marks some events as free only in a property of its own. */
function isFreeEvent(event: Component): boolean {
  const transparency = findWord(event, 'transp')
  if (transparency === '') return findWord(event, 'x-microsoft-cdo-busystatus') === 'FREE'
  return /^(TRANSPARENT|[1-9]\d*)$/.test(transparency)
}

const NULLABLE_FIELDS = ['conferenceData', 'reminders', 'source'] as const

/** An exception has the defaults of the fields that it lacks, so that it does not inherit them from its series. */
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

const RESPONSES = ['accepted', 'declined', 'tentative'] as const
const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/

function parseAddress({ value, parameters }: Property): string | undefined {
  const plain = /^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value
  const found = [decodePart(plain), parameters.email ?? '']
    .map((one) => one.replace(/^\s*mailto:/i, '').trim())
    .find((one) => ADDRESS.test(one))
  return found === undefined ? undefined : shownAddress(found)
}

function toPerson({ parameters }: Property, email: string): { email: string; displayName?: string } {
  const name = parameters.cn?.trim()
  return name && !isSameAddress(shownAddress(name), email) ? { email, displayName: name } : { email }
}

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
  if (!property || !organizer || isSameAddress(organizer, owner) || organizer === calendar)
    return attendees.length > 0 ? { attendees } : {}
  const isGuest = attendees.some(({ email }) => isSameAddress(email ?? '', owner))
  if (!isGuest) attendees.push({ email: owner, responseStatus: 'needsAction' })
  return { organizer: toPerson(property, organizer), attendees }
}

function toAttendee(property: Property, email: string): Attendee {
  const { parameters } = property
  const additionalGuests = parsePositiveCount(parameters['x-num-guests'], 1e6)
  const comment = parameters['x-response-comment']
  const answer = (parameters.partstat ?? parameters.status ?? '').trim().toUpperCase()
  return {
    ...toPerson(property, email),
    ...(/^\s*(ROOM|RESOURCE)\s*$/i.test(parameters.cutype ?? '') && { resource: true }),
    ...(/^\s*(OPT|NON)-PARTICIPANT\s*$/i.test(parameters.role ?? '') && { optional: true }),
    ...(additionalGuests && { additionalGuests }),
    ...(comment && { comment }),
    responseStatus: findKeyword(answer, RESPONSES) ?? 'needsAction',
  }
}

const WEB = /^https?:\/\//i
const MAX_ATTACHMENTS = 25
const MEET = /^https:\/\/meet\.google\.com\/([a-z]{3}-[a-z]{4}-[a-z]{3})\b/

function readFileSource(event: Component, report: Report): Pick<SeedEvent, 'source'> {
  const property = findProperty(event, 'url')
  const url = property?.value.trim()
  if (!property || !url) return {}
  if (WEB.test(url)) return { source: { url, title: findText(event, 'summary') ?? url } }
  report(property.line, `URL ${quoteForRemark(url)} was left out, because only http and https addresses are kept`)
  return {}
}

function readFileAttachments(event: Component, report: Report): NonNullable<SeedEvent['attachments']> {
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
    return { fileUrl, title: title || basename(fileUrl.replace(/[?#].*/, '')), ...(mimeType && { mimeType }) }
  })
}

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
