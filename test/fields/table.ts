/** How close a field is to the service's. */
export type Closeness = 'exact' | 'simplified' | 'ignored'
export type Row = { field: string; closeness: Closeness; file: string; title: string; note?: string }
type Said = Partial<Omit<Row, 'field'>>

const EVENT = 'test/fields/event.test.ts'
const PEOPLE = 'test/fields/people.test.ts'
const TIMES = 'test/fields/times.test.ts'
const FILES = 'test/fields/attachments.test.ts'
const TYPES = 'test/fields/types.test.ts'
const LABELS = 'test/fields/labels.test.ts'
const CONFERENCE = 'test/fields/conference.test.ts'
const REQUESTS = 'test/conferences/requests.test.ts'
const KINDS = 'test/events/types.test.ts'
const INSERT = 'test/api/events.insert.test.ts'

/** The fields of a schema in one file, each with the test that begins with its name unless it says otherwise. */
const fields = (file: string, schema: string, said: Record<string, Said>): Row[] =>
  Object.entries(said).map(([name, row]) => {
    const field = `${schema}.${name}`
    return { field, closeness: 'exact', file, title: `${field}: `, ...row }
  })

const simplified = (note: string, said: Said = {}): Said => ({ closeness: 'simplified', note, ...said })
const ignored = (note: string, said: Said = {}): Said => ({ closeness: 'ignored', note, ...said })
const by = (title: string, file?: string): Said => ({ title, ...(file && { file }) })
const kept = 'kept and given back, with no effect'
const seeded = 'only a seed brings it'

/** Every field of an event, how close it is, and the test that shows it. `docs/fields.md` is this table, printed. */
export const FIELDS: Row[] = [
  ...fields(EVENT, 'Event', {
    kind: {},
    etag: {},
    id: by('Event.id and Event.iCalUID: '),
    status: {},
    htmlLink: {},
    created: {},
    updated: {},
    summary: simplified('over-long text is refused; what the service does is not known'),
    description: simplified('over-long text is refused; what the service does is not known'),
    location: simplified('over-long text is refused; what the service does is not known'),
    colorId: {},
    creator: {},
    'creator.email': by('Event.creator: '),
    'creator.self': by('Event.creator: '),
    'creator.id': ignored('never shown', by('Event.creator: ')),
    'creator.displayName': ignored('never shown', by('Event.creator: ')),
    organizer: {},
    'organizer.email': by('Event.organizer: '),
    'organizer.self': by('Event.organizer: '),
    'organizer.id': ignored('never shown', by('Event.organizer: ')),
    'organizer.displayName': by('on a secondary calendar the calendar organizes', INSERT),
    start: { file: TIMES },
    end: { file: TIMES },
    endTimeUnspecified: simplified(seeded),
    recurrence: {},
    recurringEventId: by('Event.recurringEventId and Event.originalStartTime: '),
    originalStartTime: by('Event.recurringEventId and Event.originalStartTime: '),
    transparency: {},
    visibility: {},
    iCalUID: by('Event.id and Event.iCalUID: '),
    sequence: {},
    attendees: { file: PEOPLE },
    attendeesOmitted: {},
    extendedProperties: by('Event.extendedProperties.private: '),
    'extendedProperties.private': {},
    'extendedProperties.shared': {},
    hangoutLink: by('a request is pending first', REQUESTS),
    conferenceData: { file: CONFERENCE },
    anyoneCanAddSelf: simplified(kept),
    guestsCanInviteOthers: {},
    guestsCanModify: {},
    guestsCanSeeOtherGuests: {},
    privateCopy: {},
    locked: simplified('only a seed brings it; which refusal a change of a locked copy meets is not known'),
    reminders: {},
    'reminders.useDefault': by('Event.reminders: '),
    'reminders.overrides': by('EventReminder.minutes: '),
    source: {},
    'source.url': {},
    'source.title': {},
    workingLocationProperties: by('home is created', KINDS),
    outOfOfficeProperties: by('out of office is created', KINDS),
    focusTimeProperties: by('focus time is created', KINDS),
    attachments: { file: FILES },
    birthdayProperties: by('a birthday is created', KINDS),
    eventLabelId: { file: LABELS },
    eventType: by('a type cannot be changed', KINDS),
  }),
  ...fields(FILES, 'Event', {
    gadget: simplified(kept),
    ...Object.fromEntries(
      ['type', 'title', 'link', 'iconLink', 'width', 'height', 'display', 'preferences'].map((name) => [
        `gadget.${name}`,
        simplified(kept),
      ]),
    ),
  }),
  ...fields(TIMES, 'EventDateTime', { date: {}, dateTime: {}, timeZone: {} }),
  ...fields(PEOPLE, 'EventAttendee', {
    id: simplified(seeded),
    email: {},
    displayName: {},
    organizer: by('EventAttendee.organizer, EventAttendee.self'),
    self: by('EventAttendee.organizer, EventAttendee.self'),
    resource: {},
    optional: {},
    responseStatus: {},
    comment: {},
    additionalGuests: {},
    asyncOperation: ignored('groups are expanded at once', by('EventAttendee.organizer, EventAttendee.self')),
  }),
  ...fields(EVENT, 'EventReminder', { method: {}, minutes: {} }),
  ...fields(FILES, 'EventAttachment', {
    fileUrl: {},
    title: simplified('of a file of Drive, the client’s word or Untitled: there is no Drive to ask'),
    mimeType: simplified('of a file of Drive, read off its address'),
    iconLink: simplified('of a file of Drive, made from its MIME type'),
    fileId: simplified('read off the address of a file of Drive'),
  }),
  ...fields(CONFERENCE, 'ConferenceData', {
    createRequest: by('a request is pending first', REQUESTS),
    entryPoints: simplified('the telephone numbers are nobody’s, one for each conference'),
    conferenceSolution: {},
    conferenceId: {},
    signature: simplified('a digest of the conference, on every one', by('a conference is copied with', REQUESTS)),
    notes: {},
    parameters: simplified(kept),
  }),
  ...fields(REQUESTS, 'CreateConferenceRequest', {
    requestId: by('another requestId makes another conference'),
    conferenceSolutionKey: by('a conference of type hangoutsMeet'),
    status: by('a request is pending first'),
  }),
  ...fields(REQUESTS, 'ConferenceRequestStatus', { statusCode: by('a request that fails leaves a status') }),
  ...fields(CONFERENCE, 'ConferenceSolution', { key: {}, name: {}, iconUri: {} }),
  ...fields(CONFERENCE, 'ConferenceSolutionKey', {
    type: simplified('Hangouts, which the service no longer makes, are made where the calendar allows them'),
  }),
  ...fields(CONFERENCE, 'EntryPoint', {
    entryPointType: {},
    uri: {},
    label: {},
    pin: {},
    accessCode: {},
    meetingCode: {},
    passcode: {},
    password: {},
    regionCode: simplified('a client may give it'),
    entryPointFeatures: {},
  }),
  ...fields(CONFERENCE, 'ConferenceParameters', { addOnParameters: simplified(kept) }),
  ...fields(CONFERENCE, 'ConferenceParametersAddOnParameters', { parameters: simplified(kept) }),
  ...fields(TYPES, 'EventFocusTimeProperties', {
    autoDeclineMode: {},
    declineMessage: {},
    chatStatus: simplified(kept),
  }),
  ...fields(TYPES, 'EventOutOfOfficeProperties', { autoDeclineMode: {}, declineMessage: {} }),
  ...fields(TYPES, 'EventWorkingLocationProperties', {
    type: {},
    homeOffice: {},
    officeLocation: {},
    'officeLocation.buildingId': {},
    'officeLocation.floorId': {},
    'officeLocation.floorSectionId': {},
    'officeLocation.deskId': {},
    'officeLocation.label': {},
    customLocation: {},
    'customLocation.label': {},
  }),
  ...fields(TYPES, 'EventBirthdayProperties', {
    type: {},
    contact: simplified(seeded, by('EventBirthdayProperties.contact and')),
    customTypeName: simplified(seeded, by('EventBirthdayProperties.contact and')),
  }),
]
