/**
 * Every schema of the service in the words of a discovery document, which prints them; field masks are checked against
 * them. A plain table, so that a read need not load the schemas that bodies are parsed with; a test holds the two together.
 */
export type Schema = {
  readonly id?: string
  readonly type?: 'string' | 'boolean' | 'integer' | 'array' | 'object' | 'any'
  readonly format?: 'int32' | 'int64' | 'date' | 'date-time'
  readonly default?: string
  readonly $ref?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly annotations?: { readonly required: readonly string[] }
}

const TEXT: Schema = { type: 'string' }
const FLAG: Schema = { type: 'boolean' }
const INT32: Schema = { type: 'integer', format: 'int32' }
const INT64: Schema = { type: 'string', format: 'int64' }
const DATE: Schema = { type: 'string', format: 'date' }
const INSTANT: Schema = { type: 'string', format: 'date-time' }
const ANY: Schema = { type: 'any' }
const ref = (name: string): Schema => ({ $ref: name })
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })
const part = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties })
/** A field without which a method refuses a body. */
const neededBy = (schema: Schema, ...methods: string[]): Schema => ({
  ...schema,
  annotations: { required: methods.map((method) => `calendar.${method}`) },
})

const PROPERTIES: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  Acl: {
    etag: TEXT,
    items: listOf(ref('AclRule')),
    kind: { ...TEXT, default: 'calendar#acl' },
    nextPageToken: TEXT,
    nextSyncToken: TEXT,
  },
  AclRule: {
    etag: TEXT,
    id: TEXT,
    kind: { ...TEXT, default: 'calendar#aclRule' },
    role: neededBy(TEXT, 'acl.insert'),
    scope: neededBy(
      part({ type: neededBy(TEXT, 'acl.insert', 'acl.update'), value: TEXT }),
      'acl.insert',
      'acl.update',
    ),
  },
  Calendar: {
    autoAcceptInvitations: FLAG,
    conferenceProperties: ref('ConferenceProperties'),
    dataOwner: TEXT,
    description: TEXT,
    etag: TEXT,
    id: TEXT,
    kind: { ...TEXT, default: 'calendar#calendar' },
    labelProperties: ref('LabelProperties'),
    location: TEXT,
    summary: neededBy(TEXT, 'calendars.insert'),
    timeZone: TEXT,
  },
  CalendarList: {
    etag: TEXT,
    items: listOf(ref('CalendarListEntry')),
    kind: { ...TEXT, default: 'calendar#calendarList' },
    nextPageToken: TEXT,
    nextSyncToken: TEXT,
  },
  CalendarListEntry: {
    accessRole: TEXT,
    autoAcceptInvitations: FLAG,
    backgroundColor: TEXT,
    colorId: TEXT,
    conferenceProperties: ref('ConferenceProperties'),
    dataOwner: TEXT,
    defaultReminders: listOf(ref('EventReminder')),
    deleted: { ...FLAG, default: 'false' },
    description: TEXT,
    etag: TEXT,
    foregroundColor: TEXT,
    hidden: { ...FLAG, default: 'false' },
    id: neededBy(TEXT, 'calendarList.insert'),
    kind: { ...TEXT, default: 'calendar#calendarListEntry' },
    location: TEXT,
    notificationSettings: part({ notifications: listOf(ref('CalendarNotification')) }),
    primary: { ...FLAG, default: 'false' },
    selected: { ...FLAG, default: 'false' },
    summary: TEXT,
    summaryOverride: TEXT,
    timeZone: TEXT,
  },
  CalendarNotification: {
    method: TEXT,
    type: TEXT,
  },
  Channel: {
    address: TEXT,
    expiration: INT64,
    id: TEXT,
    kind: { ...TEXT, default: 'api#channel' },
    params: mapOf(TEXT),
    payload: FLAG,
    resourceId: TEXT,
    resourceUri: TEXT,
    token: TEXT,
    type: TEXT,
  },
  ColorDefinition: {
    background: TEXT,
    foreground: TEXT,
  },
  Colors: {
    calendar: mapOf(ref('ColorDefinition')),
    event: mapOf(ref('ColorDefinition')),
    kind: { ...TEXT, default: 'calendar#colors' },
    updated: INSTANT,
  },
  ConferenceData: {
    conferenceId: TEXT,
    conferenceSolution: ref('ConferenceSolution'),
    createRequest: ref('CreateConferenceRequest'),
    entryPoints: listOf(ref('EntryPoint')),
    notes: TEXT,
    parameters: ref('ConferenceParameters'),
    signature: TEXT,
  },
  ConferenceParameters: {
    addOnParameters: ref('ConferenceParametersAddOnParameters'),
  },
  ConferenceParametersAddOnParameters: {
    parameters: mapOf(TEXT),
  },
  ConferenceProperties: {
    allowedConferenceSolutionTypes: listOf(TEXT),
  },
  ConferenceRequestStatus: {
    statusCode: TEXT,
  },
  ConferenceSolution: {
    iconUri: TEXT,
    key: ref('ConferenceSolutionKey'),
    name: TEXT,
  },
  ConferenceSolutionKey: {
    type: TEXT,
  },
  CreateConferenceRequest: {
    conferenceSolutionKey: ref('ConferenceSolutionKey'),
    requestId: TEXT,
    status: ref('ConferenceRequestStatus'),
  },
  EntryPoint: {
    accessCode: TEXT,
    entryPointFeatures: listOf(TEXT),
    entryPointType: TEXT,
    label: TEXT,
    meetingCode: TEXT,
    passcode: TEXT,
    password: TEXT,
    pin: TEXT,
    regionCode: TEXT,
    uri: TEXT,
  },
  Error: {
    domain: TEXT,
    reason: TEXT,
  },
  Event: {
    anyoneCanAddSelf: { ...FLAG, default: 'false' },
    attachments: listOf(ref('EventAttachment')),
    attendees: listOf(ref('EventAttendee')),
    attendeesOmitted: { ...FLAG, default: 'false' },
    birthdayProperties: ref('EventBirthdayProperties'),
    colorId: TEXT,
    conferenceData: ref('ConferenceData'),
    created: INSTANT,
    creator: part({ displayName: TEXT, email: TEXT, id: TEXT, self: { ...FLAG, default: 'false' } }),
    description: TEXT,
    end: neededBy(ref('EventDateTime'), 'events.import', 'events.insert', 'events.update'),
    endTimeUnspecified: { ...FLAG, default: 'false' },
    etag: TEXT,
    eventLabelId: TEXT,
    eventType: { ...TEXT, default: 'default' },
    extendedProperties: part({ private: mapOf(TEXT), shared: mapOf(TEXT) }),
    focusTimeProperties: ref('EventFocusTimeProperties'),
    gadget: part({
      display: TEXT,
      height: INT32,
      iconLink: TEXT,
      link: TEXT,
      preferences: mapOf(TEXT),
      title: TEXT,
      type: TEXT,
      width: INT32,
    }),
    guestsCanInviteOthers: { ...FLAG, default: 'true' },
    guestsCanModify: { ...FLAG, default: 'false' },
    guestsCanSeeOtherGuests: { ...FLAG, default: 'true' },
    hangoutLink: TEXT,
    htmlLink: TEXT,
    iCalUID: neededBy(TEXT, 'events.import'),
    id: TEXT,
    kind: { ...TEXT, default: 'calendar#event' },
    location: TEXT,
    locked: { ...FLAG, default: 'false' },
    organizer: part({ displayName: TEXT, email: TEXT, id: TEXT, self: { ...FLAG, default: 'false' } }),
    originalStartTime: ref('EventDateTime'),
    outOfOfficeProperties: ref('EventOutOfOfficeProperties'),
    privateCopy: { ...FLAG, default: 'false' },
    recurrence: listOf(TEXT),
    recurringEventId: TEXT,
    reminders: part({ overrides: listOf(ref('EventReminder')), useDefault: FLAG }),
    sequence: INT32,
    source: part({ title: TEXT, url: TEXT }),
    start: neededBy(ref('EventDateTime'), 'events.import', 'events.insert', 'events.update'),
    status: TEXT,
    summary: TEXT,
    transparency: { ...TEXT, default: 'opaque' },
    updated: INSTANT,
    visibility: { ...TEXT, default: 'default' },
    workingLocationProperties: ref('EventWorkingLocationProperties'),
  },
  EventAttachment: {
    fileId: TEXT,
    fileUrl: TEXT,
    iconLink: TEXT,
    mimeType: TEXT,
    title: TEXT,
  },
  EventAttendee: {
    additionalGuests: { ...INT32, default: '0' },
    asyncOperation: { ...TEXT, default: '' },
    comment: TEXT,
    displayName: TEXT,
    email: TEXT,
    id: TEXT,
    optional: { ...FLAG, default: 'false' },
    organizer: FLAG,
    resource: { ...FLAG, default: 'false' },
    responseStatus: TEXT,
    self: { ...FLAG, default: 'false' },
  },
  EventBirthdayProperties: {
    contact: TEXT,
    customTypeName: TEXT,
    type: { ...TEXT, default: 'birthday' },
  },
  EventDateTime: {
    date: DATE,
    dateTime: INSTANT,
    timeZone: TEXT,
  },
  EventFocusTimeProperties: {
    autoDeclineMode: TEXT,
    chatStatus: TEXT,
    declineMessage: TEXT,
  },
  EventLabel: {
    backgroundColor: TEXT,
    id: TEXT,
    name: TEXT,
  },
  EventOutOfOfficeProperties: {
    autoDeclineMode: TEXT,
    declineMessage: TEXT,
  },
  EventReminder: {
    method: TEXT,
    minutes: INT32,
  },
  EventWorkingLocationProperties: {
    customLocation: part({ label: TEXT }),
    homeOffice: ANY,
    officeLocation: part({ buildingId: TEXT, deskId: TEXT, floorId: TEXT, floorSectionId: TEXT, label: TEXT }),
    type: TEXT,
  },
  Events: {
    accessRole: TEXT,
    defaultReminders: listOf(ref('EventReminder')),
    description: TEXT,
    etag: TEXT,
    items: listOf(ref('Event')),
    kind: { ...TEXT, default: 'calendar#events' },
    nextPageToken: TEXT,
    nextSyncToken: TEXT,
    summary: TEXT,
    timeZone: TEXT,
    updated: INSTANT,
  },
  FreeBusyCalendar: {
    busy: listOf(ref('TimePeriod')),
    errors: listOf(ref('Error')),
  },
  FreeBusyGroup: {
    calendars: listOf(TEXT),
    errors: listOf(ref('Error')),
  },
  FreeBusyRequest: {
    calendarExpansionMax: INT32,
    groupExpansionMax: INT32,
    items: listOf(ref('FreeBusyRequestItem')),
    timeMax: INSTANT,
    timeMin: INSTANT,
    timeZone: { ...TEXT, default: 'UTC' },
  },
  FreeBusyRequestItem: {
    id: TEXT,
  },
  FreeBusyResponse: {
    calendars: mapOf(ref('FreeBusyCalendar')),
    groups: mapOf(ref('FreeBusyGroup')),
    kind: { ...TEXT, default: 'calendar#freeBusy' },
    timeMax: INSTANT,
    timeMin: INSTANT,
  },
  LabelProperties: {
    eventLabels: listOf(ref('EventLabel')),
  },
  Setting: {
    etag: TEXT,
    id: TEXT,
    kind: { ...TEXT, default: 'calendar#setting' },
    value: TEXT,
  },
  Settings: {
    etag: TEXT,
    items: listOf(ref('Setting')),
    kind: { ...TEXT, default: 'calendar#settings' },
    nextPageToken: TEXT,
    nextSyncToken: TEXT,
  },
  TimePeriod: {
    end: INSTANT,
    start: INSTANT,
  },
}

export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(PROPERTIES).map(([id, properties]) => [id, { id, type: 'object', properties }]),
)
