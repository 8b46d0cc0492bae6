import { addressOf } from '../../schema/values/address.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { type Component, findProperties, findProperty } from './components.ts'
import type { Property } from './contentLines.ts'
import { quote, type Report } from './report.ts'

type Attendee = NonNullable<SeedEvent['attendees']>[number]
type ResponseStatus = Attendee['responseStatus']

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/
const RESPONSES = new Map<string, ResponseStatus>([
  ['ACCEPTED', 'accepted'],
  ['DECLINED', 'declined'],
  ['TENTATIVE', 'tentative'],
])

/** The owner of a calendar, and its id. */
type CalendarOwner = { owner: string; calendar: string }

/**
 * Returns the address of a person: a mailto URI, or the EMAIL parameter beside another value. Returns undefined without
 * a valid one.
 */
function parseAddress({ value, parameters }: Property): string | undefined {
  // vCalendar 1.0 writes a name before the address.
  const plain = /^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value.trim()
  const uri = decodeUri(plain.replace(/^mailto:\s*/i, ''))
  const address = [uri, parameters.get('email')?.replace(/^mailto:/i, '') ?? ''].find((one) => ADDRESS.test(one.trim()))
  return address === undefined ? undefined : addressOf(address.trim())
}

/** Decodes percent-encoding. Returns a malformed text unchanged. */
function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a person with the name in CN, unless the name is the address. */
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
    if (!email) report(property.line, `no address of an attendee, and left out: ${quote(property.value)}`)
    return email ? [toAttendee(property, email)] : []
  })
  const property = findProperty(event, 'organizer')
  const organizer = property && parseAddress(property)
  if (property && !organizer && property.value.trim() !== '') {
    report(property.line, `no address of an organizer, and taken for the owner's own: ${quote(property.value)}`)
  }
  if (!property || !organizer || organizer === owner || organizer === calendar)
    return attendees.length > 0 ? { attendees } : {}
  if (attendees.some(({ email }) => email === owner)) return { organizer: toPerson(property, organizer), attendees }
  return {
    organizer: toPerson(property, organizer),
    attendees: [...attendees, { email: owner, responseStatus: 'needsAction' }],
  }
}

/** Returns an ATTENDEE as an attendee of the API. An unknown response is `needsAction`. */
function toAttendee(property: Property, email: string): Attendee {
  /** Returns a parameter in upper case; empty without it. */
  const parameter = (name: string) => property.parameters.get(name)?.trim().toUpperCase() ?? ''
  const guests = Number(parameter('x-num-guests'))
  const comment = property.parameters.get('x-response-comment')
  return {
    ...toPerson(property, email),
    ...(/^(ROOM|RESOURCE)$/.test(parameter('cutype')) && { resource: true }),
    ...(/^(OPT|NON)-PARTICIPANT$/.test(parameter('role')) && { optional: true }),
    ...(Number.isInteger(guests) && guests > 0 && guests < 1e6 && { additionalGuests: guests }),
    ...(comment && { comment }),
    responseStatus: RESPONSES.get(parameter('partstat') || parameter('status')) ?? 'needsAction',
  }
}
