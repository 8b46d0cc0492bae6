import { z } from 'zod'
import { flag, int32, list, map, oneOf, part, type Solid, text } from './json.ts'

/** The event resource, once: what a client may write, what the service adds, and the type that the world stores. */
export const eventDateTime = z.object({ date: text(), dateTime: text(), timeZone: text() })

export const eventAttendee = z.object({
  id: text(),
  email: text(),
  displayName: text(),
  organizer: flag(),
  self: flag(),
  resource: flag(),
  optional: flag(),
  responseStatus: oneOf('needsAction', 'declined', 'tentative', 'accepted'),
  comment: text(),
  additionalGuests: int32(),
})

export const eventReminder = z.object({ method: text(), minutes: int32() })

export const eventAttachment = z.object({
  fileUrl: text(),
  title: text(),
  mimeType: text(),
  iconLink: text(),
  fileId: text(),
})

const conferenceSolutionKey = part({ type: text() })

export const conferenceData = z.object({
  createRequest: part({
    requestId: text(),
    conferenceSolutionKey,
    status: part({ statusCode: text() }),
  }),
  entryPoints: list(
    z.object({
      entryPointType: oneOf('video', 'phone', 'sip', 'more'),
      uri: text(),
      label: text(),
      pin: text(),
      accessCode: text(),
      meetingCode: text(),
      passcode: text(),
      password: text(),
      regionCode: text(),
      entryPointFeatures: list(z.string()),
    }),
  ),
  conferenceSolution: part({ key: conferenceSolutionKey, name: text(), iconUri: text() }),
  conferenceId: text(),
  signature: text(),
  notes: text(),
  parameters: part({ addOnParameters: part({ parameters: map() }) }),
})

const autoDeclineMode = oneOf('declineNone', 'declineAllConflictingInvitations', 'declineOnlyNewConflictingInvitations')

const person = part({ id: text(), email: text(), displayName: text(), self: flag() })

/** What a request may carry. Fields that only the service writes are not here, so that a body's are ignored. */
export const eventBody = z.object({
  id: text(),
  status: oneOf('confirmed', 'tentative', 'cancelled'),
  summary: text(),
  description: text(),
  location: text(),
  colorId: text(),
  organizer: person,
  start: eventDateTime.nullish(),
  end: eventDateTime.nullish(),
  endTimeUnspecified: flag(),
  recurrence: list(z.string()),
  recurringEventId: text(),
  originalStartTime: eventDateTime.nullish(),
  transparency: oneOf('opaque', 'transparent'),
  visibility: oneOf('default', 'public', 'private', 'confidential'),
  iCalUID: text(),
  sequence: int32(),
  attendees: list(eventAttendee),
  attendeesOmitted: flag(),
  extendedProperties: part({ private: map(), shared: map() }),
  conferenceData: conferenceData.nullish(),
  gadget: part({
    type: text(),
    title: text(),
    link: text(),
    iconLink: text(),
    width: int32(),
    height: int32(),
    display: oneOf('icon', 'chip'),
    preferences: map(),
  }),
  anyoneCanAddSelf: flag(),
  guestsCanInviteOthers: flag(),
  guestsCanModify: flag(),
  guestsCanSeeOtherGuests: flag(),
  reminders: part({ useDefault: flag(), overrides: list(eventReminder) }),
  source: part({ url: text(), title: text() }),
  workingLocationProperties: part({
    type: oneOf('homeOffice', 'officeLocation', 'customLocation'),
    homeOffice: z.unknown().optional(),
    customLocation: part({ label: text() }),
    officeLocation: part({
      buildingId: text(),
      floorId: text(),
      floorSectionId: text(),
      deskId: text(),
      label: text(),
    }),
  }),
  outOfOfficeProperties: part({ autoDeclineMode, declineMessage: text() }),
  focusTimeProperties: part({
    autoDeclineMode,
    declineMessage: text(),
    chatStatus: oneOf('available', 'doNotDisturb'),
  }),
  attachments: list(eventAttachment),
  birthdayProperties: part({
    contact: text(),
    type: oneOf('birthday', 'self', 'anniversary', 'other', 'custom'),
    customTypeName: text(),
  }),
  eventType: oneOf('default', 'focusTime', 'outOfOffice', 'workingLocation', 'birthday', 'fromGmail'),
  eventLabelId: text(),
})

/** The whole resource, as a state that was read from a world gives it back. */
export const event = eventBody.extend({
  kind: text(),
  etag: text(),
  htmlLink: text(),
  created: text(),
  updated: text(),
  creator: person,
  hangoutLink: text(),
  privateCopy: flag(),
  locked: flag(),
})

export type EventBody = z.output<typeof eventBody>
export type EventDraft = Solid<EventBody>
export type ConferenceData = NonNullable<EventDraft['conferenceData']>
export type EntryPoint = NonNullable<ConferenceData['entryPoints']>[number]
export type EventAttachment = Solid<z.output<typeof eventAttachment>>
export type EventDateTime = Solid<z.output<typeof eventDateTime>>
export type EventAttendee = Solid<z.output<typeof eventAttendee>> & { email: string }
export type EventReminder = { method: string; minutes: number }
type Written = 'kind' | 'etag' | 'id' | 'status' | 'htmlLink' | 'updated' | 'start' | 'end' | 'iCalUID'
type Parsed = Solid<z.output<typeof event>>
export type Event = Omit<Parsed, Written | 'attendees'> &
  Required<Pick<Parsed, Written>> & { attendees?: EventAttendee[] }
