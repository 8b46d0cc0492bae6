import type { Event, EventDraft } from '../wire/event.ts'

/** Who writes a field: a client, in a request that says it, or only the service. */
type Writer = 'client' | 'service'

/** Every field of an event, in the order of a reply (behaviour 3.2). A new one does not compile until it has its place. */
const FIELDS: Record<keyof Event, Writer> = {
  kind: 'service',
  etag: 'service',
  id: 'service',
  status: 'client',
  htmlLink: 'service',
  created: 'service',
  updated: 'service',
  summary: 'client',
  description: 'client',
  location: 'client',
  colorId: 'client',
  creator: 'service',
  organizer: 'service',
  start: 'client',
  end: 'client',
  endTimeUnspecified: 'client',
  recurrence: 'client',
  recurringEventId: 'service',
  originalStartTime: 'service',
  transparency: 'client',
  visibility: 'client',
  iCalUID: 'service',
  sequence: 'client',
  attendees: 'client',
  attendeesOmitted: 'client',
  extendedProperties: 'client',
  hangoutLink: 'service',
  conferenceData: 'client',
  gadget: 'client',
  anyoneCanAddSelf: 'client',
  guestsCanInviteOthers: 'client',
  guestsCanModify: 'client',
  guestsCanSeeOtherGuests: 'client',
  privateCopy: 'service',
  locked: 'service',
  reminders: 'client',
  source: 'client',
  workingLocationProperties: 'client',
  outOfOfficeProperties: 'client',
  focusTimeProperties: 'client',
  attachments: 'client',
  birthdayProperties: 'client',
  eventLabelId: 'client',
  eventType: 'client',
}

/** What a reply leaves out because it goes without saying (behaviour 3.2). */
const DEFAULTS: Partial<Record<keyof Event, unknown>> = {
  summary: '',
  description: '',
  location: '',
  colorId: '',
  transparency: 'opaque',
  visibility: 'default',
  endTimeUnspecified: false,
  attendeesOmitted: false,
  anyoneCanAddSelf: false,
  guestsCanInviteOthers: true,
  guestsCanModify: false,
  guestsCanSeeOtherGuests: true,
  privateCopy: false,
  locked: false,
}

const ORDER = Object.keys(FIELDS) as (keyof Event)[]
/** An event but for what each write stamps anew. */
export type Composed = Omit<Event, 'kind' | 'etag' | 'updated'>

const STAMPS: readonly (keyof Event)[] = ['kind', 'etag', 'updated']
const ORIGIN_FIELDS = ORDER.filter((field) => FIELDS[field] === 'service' && !STAMPS.includes(field))
const CLIENT_FIELDS = ORDER.filter((field) => FIELDS[field] === 'client')

/** The fields that there are, in the order of a reply, without what goes without saying. */
export function inOrder<E extends Partial<Event>>(event: E): E {
  const ordered: Partial<Record<keyof Event, unknown>> = {}
  for (const field of ORDER) {
    const value = event[field]
    if (value !== undefined && value !== DEFAULTS[field] && !isEmpty(value)) ordered[field] = value
  }
  return ordered as E
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const part = <E>(event: Partial<Event>, fields: readonly (keyof Event)[]): E =>
  Object.fromEntries(fields.flatMap((field) => (event[field] === undefined ? [] : [[field, event[field]]]))) as E

/** What of an event its clients wrote: what a patch is merged into. */
export const clientPart = (event: Partial<Event>): EventDraft => part(event, CLIENT_FIELDS)

/** What the service says of an event from its beginning on, whatever a request claims. */
export type Origin = Pick<Event, 'id' | 'iCalUID' | 'created' | 'creator' | 'organizer'> &
  Partial<Pick<Event, 'recurringEventId' | 'originalStartTime'>>
export const originOf = (event: Event): Origin => part(event, ORIGIN_FIELDS)
