import type { SeedEvent } from '../schema/seed.ts'
import { type Component, findProperties, findProperty, findText } from './components.ts'
import type { Property } from './contentLines.ts'
import { quote, type Report } from './report.ts'

const WEB = /^https?:\/\//i
const MAX_ATTACHMENTS = 25
const MEET = /^https:\/\/meet\.google\.com\/([a-z]{3}-[a-z]{4}-[a-z]{3})\b/

/** Returns the links of an event: its source, its attachments and its conference. */
export function readLinks(
  event: Component,
  report: Report,
): Pick<SeedEvent, 'source' | 'attachments' | 'conferenceData'> {
  const attachments = readAttachments(event, report)
  return {
    ...readSource(event, report),
    ...(attachments.length > 0 && { attachments }),
    ...readConference(event, report),
  }
}

/**
 * Returns the address of URL as `{ source }`. Returns an empty object without one, and reports an address that is not
 * of the web.
 */
function readSource(event: Component, report: Report): Pick<SeedEvent, 'source'> {
  const property = findProperty(event, 'url')
  const url = property?.value.trim()
  if (!property || !url) return {}
  if (WEB.test(url)) return { source: { url, title: findText(event, 'summary') ?? url } }
  report(property.line, `no address of the web, and left out: ${quote(url)}`)
  return {}
}

/** Returns the attachments by link, at most 25. Reports the others. */
function readAttachments(event: Component, report: Report): NonNullable<SeedEvent['attachments']> {
  const links = findProperties(event, 'attach').filter(({ value, line }) => {
    const links = WEB.test(value.trim())
    if (!links) report(line, 'only an attachment by a link of the web can be kept: this one was left out')
    return links
  })
  for (const { line } of links.slice(MAX_ATTACHMENTS))
    report(line, `more than ${MAX_ATTACHMENTS} attachments: left out`)
  return links.slice(0, MAX_ATTACHMENTS).map(({ value, parameters }) => {
    const fileUrl = value.trim()
    const mimeType = parameters.get('fmttype')
    const title = parameters.get('filename') ?? parameters.get('x-filename') ?? parameters.get('x-apple-filename')
    return { fileUrl, title: title || fileName(fileUrl), ...(mimeType && { mimeType }) }
  })
}

/** Returns the last part of the path of an URL, or the URL without a path. */
const fileName = (url: string): string => {
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
      report(line, `no conference that can be joined by the web: ${quote(value)}`)
    return {}
  }
  for (const { value, line } of conferences) {
    if (value.trim() === video.value.trim() || isPhone(value)) continue
    report(line, `an event has one conference that is joined by the web: ${quote(value)} was left out`)
  }
  const [uri, conferenceId] = MEET.exec(video.value.trim()) ?? [video.value.trim()]
  const label = uri.replace(WEB, '')
  const phones = others.flatMap(phoneEntryPoint)
  const entryPoints = [{ entryPointType: 'video' as const, uri, ...(conferenceId && { label }) }, ...phones]
  if (conferenceId)
    return {
      conferenceData: { entryPoints, conferenceSolution: solution('hangoutsMeet', 'Google Meet'), conferenceId },
    }
  return {
    conferenceData: { entryPoints, conferenceSolution: solution('addOn', video.parameters.get('label') ?? label) },
  }
}

/** Returns a conference solution of the API. */
const solution = (type: string, name: string) => ({ key: { type }, name })

/** Returns a phone number as an entry point; empty for another address. */
function phoneEntryPoint({ value }: Property): { entryPointType: 'phone'; uri: string }[] {
  return isPhone(value) ? [{ entryPointType: 'phone', uri: value.trim() }] : []
}

/** Returns true for a `tel:` URI. */
const isPhone = (value: string): boolean => /^\s*tel:/i.test(value)
