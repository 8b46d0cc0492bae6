import { z } from 'zod'
import { EVENT_TYPE_VALUES } from './eventTypeValues.ts'
import {
  byDefault,
  date,
  flag,
  instant,
  int32,
  kind,
  listOf,
  map,
  namedSchema,
  neededBy,
  oneOf,
  part,
  partOf,
  text,
  type WithoutNulls,
} from './jsonSchema.ts'

const autoDeclineMode = oneOf('declineNone', 'declineAllConflictingInvitations', 'declineOnlyNewConflictingInvitations')

const outOfOfficeProperties = namedSchema(
  'EventOutOfOfficeProperties',
  z.object({ autoDeclineMode, declineMessage: text }),
)

const focusTimeProperties = namedSchema(
  'EventFocusTimeProperties',
  z.object({ autoDeclineMode, declineMessage: text, chatStatus: oneOf('available', 'doNotDisturb') }),
)

const workingLocationProperties = namedSchema(
  'EventWorkingLocationProperties',
  z.object({
    type: oneOf('homeOffice', 'officeLocation', 'customLocation'),
    homeOffice: z.unknown().optional(),
    customLocation: part({ label: text }),
    officeLocation: part({
      buildingId: text,
      floorId: text,
      floorSectionId: text,
      deskId: text,
      label: text,
    }),
  }),
)

const birthdayProperties = namedSchema(
  'EventBirthdayProperties',
  z.object({
    contact: text,
    type: byDefault(oneOf('birthday', 'self', 'anniversary', 'other', 'custom'), 'birthday'),
    customTypeName: text,
  }),
)

const conferenceSolutionKey = namedSchema('ConferenceSolutionKey', z.object({ type: text })).nullish()
const requestStatus = namedSchema('ConferenceRequestStatus', z.object({ statusCode: text }))
const conferenceSolution = namedSchema(
  'ConferenceSolution',
  z.object({ key: conferenceSolutionKey, name: text, iconUri: text }),
)

const createRequest = namedSchema(
  'CreateConferenceRequest',
  z.object({ requestId: text, conferenceSolutionKey, status: requestStatus.nullish() }),
)

const entryPoint = namedSchema(
  'EntryPoint',
  z.object({
    entryPointType: oneOf('video', 'phone', 'sip', 'more'),
    uri: text,
    label: text,
    pin: text,
    accessCode: text,
    meetingCode: text,
    passcode: text,
    password: text,
    regionCode: text,
    entryPointFeatures: listOf(z.string()),
  }),
)

const addOnParameters = namedSchema('ConferenceParametersAddOnParameters', z.object({ parameters: map }))
const parameters = namedSchema('ConferenceParameters', z.object({ addOnParameters: addOnParameters.nullish() }))

/** A request to create a conference, or entry points, or both. */
export const conferenceData = namedSchema(
  'ConferenceData',
  z.object({
    createRequest: createRequest.nullish(),
    entryPoints: listOf(entryPoint),
    conferenceSolution: conferenceSolution.nullish(),
    conferenceId: text,
    signature: text,
    notes: text,
    parameters: parameters.nullish(),
  }),
)

export type ConferenceData = WithoutNulls<z.output<typeof conferenceData>>
export type EntryPoint = WithoutNulls<z.output<typeof entryPoint>>

/** All-day: `date`; others: `dateTime`, with an offset or a `timeZone`. */
export const eventDateTime = namedSchema('EventDateTime', z.object({ date: date, dateTime: instant, timeZone: text }))

export const eventAttendee = partOf(
  'EventAttendee',
  z.object({
    id: text,
    email: text,
    displayName: text,
    organizer: flag,
    self: byDefault(flag, 'false'),
    resource: byDefault(flag, 'false'),
    optional: byDefault(flag, 'false'),
    responseStatus: oneOf('needsAction', 'declined', 'tentative', 'accepted'),
    comment: text,
    additionalGuests: byDefault(int32, '0'),
  }),
)
/** `asyncOperation` is only in discovery and states, because groups are expanded at once. */
export const fullAttendee = namedSchema('EventAttendee', eventAttendee.extend({ asyncOperation: byDefault(text, '') }))

export const eventReminder = namedSchema('EventReminder', z.object({ method: text, minutes: int32 }))

export const eventAttachment = namedSchema(
  'EventAttachment',
  z.object({ fileUrl: text, title: text, mimeType: text, iconLink: text, fileId: text }),
)

const person = part({ id: text, email: text, displayName: text, self: byDefault(flag, 'false') })
const requiredInWrites = <S extends z.ZodType>(schema: S): S =>
  neededBy(schema, 'events.import', 'events.insert', 'events.update')

/** Parsing drops all other fields, so that read-only fields are ignored. */
export const eventBody = z.object({
  id: text,
  status: oneOf('confirmed', 'tentative', 'cancelled'),
  summary: text,
  description: text,
  location: text,
  colorId: text,
  organizer: person,
  start: requiredInWrites(eventDateTime.nullish()),
  end: requiredInWrites(eventDateTime.nullish()),
  endTimeUnspecified: byDefault(flag, 'false'),
  recurrence: listOf(z.string()),
  recurringEventId: text,
  originalStartTime: eventDateTime.nullish(),
  transparency: byDefault(oneOf('opaque', 'transparent'), 'opaque'),
  visibility: byDefault(oneOf('default', 'public', 'private', 'confidential'), 'default'),
  iCalUID: neededBy(text, 'events.import'),
  sequence: int32,
  attendees: listOf(eventAttendee),
  attendeesOmitted: byDefault(flag, 'false'),
  extendedProperties: part({ private: map, shared: map }),
  conferenceData: conferenceData.nullish(),
  gadget: part({
    type: text,
    title: text,
    link: text,
    iconLink: text,
    width: int32,
    height: int32,
    display: oneOf('icon', 'chip'),
    preferences: map,
  }),
  anyoneCanAddSelf: byDefault(flag, 'false'),
  guestsCanInviteOthers: byDefault(flag, 'true'),
  guestsCanModify: byDefault(flag, 'false'),
  guestsCanSeeOtherGuests: byDefault(flag, 'true'),
  reminders: part({ useDefault: flag, overrides: listOf(eventReminder) }),
  source: part({ url: text, title: text }),
  workingLocationProperties: workingLocationProperties.nullish(),
  outOfOfficeProperties: outOfOfficeProperties.nullish(),
  focusTimeProperties: focusTimeProperties.nullish(),
  attachments: listOf(eventAttachment),
  birthdayProperties: birthdayProperties.nullish(),
  eventType: byDefault(oneOf(...EVENT_TYPE_VALUES), 'default'),
  eventLabelId: text,
})

export const event = namedSchema(
  'Event',
  eventBody.extend({
    kind: kind('calendar#event'),
    etag: text,
    htmlLink: text,
    created: instant,
    updated: instant,
    creator: person,
    hangoutLink: text,
    privateCopy: byDefault(flag, 'false'),
    locked: byDefault(flag, 'false'),
  }),
)

export type EventBody = z.output<typeof eventBody>
/** Merged from a body and the stored event, without nulls and not yet checked. */
export type EventDraft = WithoutNulls<EventBody>
export type EventAttachment = WithoutNulls<z.output<typeof eventAttachment>>
export type EventDateTime = WithoutNulls<z.output<typeof eventDateTime>>
export type EventAttendee = WithoutNulls<z.output<typeof eventAttendee>> & { email: string }
export type EventReminder = { method: string; minutes: number }
type AlwaysSet = 'kind' | 'etag' | 'id' | 'status' | 'htmlLink' | 'updated' | 'start' | 'end' | 'iCalUID'
type Stored = WithoutNulls<z.output<typeof event>>
export type Event = Omit<Stored, AlwaysSet | 'attendees'> &
  Required<Pick<Stored, AlwaysSet>> & { attendees?: EventAttendee[] }
