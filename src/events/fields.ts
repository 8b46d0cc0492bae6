import type { Event, EventDraft } from '../wire/event.ts'

/** Whose a field is: the meeting's, the same on every copy; one copy's own; or the service's, which no client writes. */
type Owner = 'meeting' | 'copy' | 'service'

/**
 * Every field of an event, in the order of a reply (behaviour 3.2.1). A new one does not compile until somebody says.
 */
const OWNER: Record<keyof Event, Owner> = {
  kind: 'service',
  etag: 'service',
  id: 'service',
  status: 'meeting',
  htmlLink: 'service',
  created: 'service',
  updated: 'service',
  summary: 'meeting',
  description: 'meeting',
  location: 'meeting',
  colorId: 'copy',
  creator: 'service',
  organizer: 'service',
  start: 'meeting',
  end: 'meeting',
  endTimeUnspecified: 'meeting',
  recurrence: 'meeting',
  recurringEventId: 'service',
  originalStartTime: 'service',
  transparency: 'copy',
  visibility: 'copy',
  iCalUID: 'service',
  sequence: 'meeting',
  attendees: 'meeting',
  attendeesOmitted: 'meeting',
  extendedProperties: 'meeting', // but for the private ones, which are each copy's own
  hangoutLink: 'meeting', // goes with the conference; no body can say it
  conferenceData: 'meeting',
  gadget: 'meeting',
  anyoneCanAddSelf: 'meeting',
  guestsCanInviteOthers: 'meeting',
  guestsCanModify: 'meeting',
  guestsCanSeeOtherGuests: 'meeting',
  privateCopy: 'service',
  locked: 'service',
  reminders: 'copy',
  source: 'meeting',
  workingLocationProperties: 'meeting',
  outOfOfficeProperties: 'meeting',
  focusTimeProperties: 'meeting',
  attachments: 'meeting',
  birthdayProperties: 'meeting',
  eventLabelId: 'copy',
  eventType: 'meeting',
}

/** What a reply leaves out because it goes without saying (behaviour 3.2.3). */
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

/** An event but for what each write stamps anew. */
export type Composed = Omit<Event, 'kind' | 'etag' | 'updated'>

const STAMPS: readonly (keyof Event)[] = ['kind', 'etag', 'updated']
const ORDER = Object.keys(OWNER) as (keyof Event)[]
const ownedBy = (owner: Owner) => ORDER.filter((field) => OWNER[field] === owner)

const MEETING_FIELDS = ownedBy('meeting')
const COPY_FIELDS = ownedBy('copy')
const CLIENT_FIELDS = [...MEETING_FIELDS, ...COPY_FIELDS]
const ORIGIN_FIELDS = ownedBy('service').filter((field) => !STAMPS.includes(field))

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

/** What the meeting says on every copy, and what one copy says for itself. */
export const meetingPart = (event: Partial<Event>): EventDraft => part(event, MEETING_FIELDS)
export const isMeetings = (field: string): boolean => OWNER[field as keyof Event] === 'meeting'
export const copyPart = (event: Partial<Event>): EventDraft => part(event, COPY_FIELDS)

/** What the service says of an event from its beginning on, whatever a request claims. */
export type Origin = Pick<Event, 'id' | 'iCalUID' | 'created' | 'creator' | 'organizer'> &
  Partial<Pick<Event, 'recurringEventId' | 'originalStartTime'>>
export const originOf = (event: Event): Origin => part(event, ORIGIN_FIELDS)
