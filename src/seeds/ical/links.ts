import type { SeedEvent } from '../../wire/seeds/seed.ts'
import { type Component, propertiesOf, propertyOf, textOf } from './components.ts'
import type { Property } from './contentLines.ts'
import { quoted, type Say } from './report.ts'

const WEB = /^https?:\/\//i
const MOST_ATTACHMENTS = 25
const MEET = /^https:\/\/meet\.google\.com\/([a-z]{3}-[a-z]{4}-[a-z]{3})\b/

/** Where an event leads: to a page, to files, and to its conference. */
export function readLinks(event: Component, say: Say): Pick<SeedEvent, 'source' | 'attachments' | 'conferenceData'> {
  const attachments = attachmentsIn(event, say)
  return {
    ...sourceIn(event, say),
    ...(attachments.length > 0 && { attachments }),
    ...conferenceIn(event, say),
  }
}

function sourceIn(event: Component, say: Say): Pick<SeedEvent, 'source'> {
  const property = propertyOf(event, 'url')
  const url = property?.value.trim()
  if (!property || !url) return {}
  if (WEB.test(url)) return { source: { url, title: textOf(event, 'summary') ?? url } }
  say(property.line, `no address of the web, and left out: ${quoted(url)}`)
  return {}
}

function attachmentsIn(event: Component, say: Say): NonNullable<SeedEvent['attachments']> {
  const links = propertiesOf(event, 'attach').filter(({ value, line }) => {
    const links = WEB.test(value.trim())
    if (!links) say(line, 'only an attachment by a link of the web can be kept: this one was left out')
    return links
  })
  for (const { line } of links.slice(MOST_ATTACHMENTS)) say(line, `more than ${MOST_ATTACHMENTS} attachments: left out`)
  return links.slice(0, MOST_ATTACHMENTS).map(({ value, parameters }) => {
    const fileUrl = value.trim()
    const mimeType = parameters.get('fmttype')
    const title = parameters.get('filename') ?? parameters.get('x-filename') ?? parameters.get('x-apple-filename')
    return { fileUrl, title: title || fileName(fileUrl), ...(mimeType && { mimeType }) }
  })
}

const fileName = (url: string): string => {
  const [path = url] = url.split(/[?#]/, 1)
  return path.split('/').filter(Boolean).at(-1) ?? url
}

function conferenceIn(event: Component, say: Say): Pick<SeedEvent, 'conferenceData'> {
  const googles = propertyOf(event, 'x-google-conference')
  const others = propertiesOf(event, 'conference')
  const said = [...(googles ? [googles] : []), ...others]
  const video = said.find(({ value }) => WEB.test(value.trim()))
  if (!video) {
    for (const { value, line } of said) say(line, `no conference that can be joined by the web: ${quoted(value)}`)
    return {}
  }
  for (const { value, line } of said) {
    if (value.trim() === video.value.trim() || isPhone(value)) continue
    say(line, `an event has one conference that is joined by the web: ${quoted(value)} was left out`)
  }
  const [uri, conferenceId] = MEET.exec(video.value.trim()) ?? [video.value.trim()]
  const label = uri.replace(WEB, '')
  const phones = others.flatMap(phoneIn)
  const entryPoints = [{ entryPointType: 'video' as const, uri, ...(conferenceId && { label }) }, ...phones]
  if (conferenceId)
    return {
      conferenceData: { entryPoints, conferenceSolution: solution('hangoutsMeet', 'Google Meet'), conferenceId },
    }
  return {
    conferenceData: { entryPoints, conferenceSolution: solution('addOn', video.parameters.get('label') ?? label) },
  }
}

const solution = (type: string, name: string) => ({ key: { type }, name })

function phoneIn({ value }: Property): { entryPointType: 'phone'; uri: string }[] {
  return isPhone(value) ? [{ entryPointType: 'phone', uri: value.trim() }] : []
}

const isPhone = (value: string): boolean => /^\s*tel:/i.test(value)
