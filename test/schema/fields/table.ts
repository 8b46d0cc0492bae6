import { EVENT_FIELDS } from '../../../src/model/events/fields.ts'
import { EVENT_ROWS, LENGTH as length, STORED_ONLY as storedOnly } from '../../support/eventRows.ts'

/** The closeness of a field to the service's. */
export type Closeness = 'exact' | 'simplified' | 'ignored'
export type Row = { field: string; closeness: Closeness; file: string; title: string; note?: string }
type RowFields = Partial<Omit<Row, 'field'>>

const EVENT = 'test/schema/fields/event.test.ts'
const PEOPLE = 'test/schema/fields/people.test.ts'
const TIMES = 'test/schema/fields/times.test.ts'
const FILES = 'test/schema/fields/attachments.test.ts'
const TYPES = 'test/schema/fields/types.test.ts'
const LABELS = 'test/schema/fields/labels.test.ts'
const CONFERENCE = 'test/schema/fields/conference.test.ts'
const REQUESTS = 'test/effects/conferences.test.ts'
const KINDS = 'test/model/events/types.test.ts'
const INSERT = 'test/api/events/insert.test.ts'
const CALENDARS = 'test/schema/fields/calendars.test.ts'
const FREE_BUSY = 'test/schema/fields/freeBusy.test.ts'
const PARAMETERS = 'test/schema/fields/parameters.test.ts'

/** The fields of a schema in one file, each with the test that begins with its name, or with the given title. */
const fields = (file: string, schema: string, rows: Record<string, RowFields>): Row[] =>
  Object.entries(rows).map(([name, row]) => {
    const field = `${schema}.${name}`
    return { field, closeness: 'exact', file, title: `${field}: `, ...row }
  })

const simplified = (note: string, row: RowFields = {}): RowFields => ({ closeness: 'simplified', note, ...row })
const ignored = (note: string, row: RowFields = {}): RowFields => ({ closeness: 'ignored', note, ...row })
const ACCOUNTS = 'test/api/accounts.test.ts'
const by = (title: string, file?: string): RowFields => ({ title, ...(file && { file }) })
const seeded = 'only a seed brings it'
const ACCOUNT_NOTE = 'which accounts may have such events is not known: all may'
const imaginary = 'made up: nobody can join it'
const opaque = 'of a form of our own'
/** Fields that are exact, by their names. */
const exact = (...names: string[]): Record<string, RowFields> => Object.fromEntries(names.map((name) => [name, {}]))

/** The rows of a schema in test/support/eventRows.ts. */
const eventRows = (schema: string): Record<string, RowFields> =>
  Object.fromEntries(
    EVENT_ROWS.filter(({ field }) => field.startsWith(`${schema}.`)).map(({ field, note }) => [
      field.slice(schema.length + 1),
      note === undefined ? {} : simplified(note),
    ]),
  )

/** Returns the rows of an event's fields in the order of a reply. */
const inOrderOfReply = (rows: Row[]): Row[] => {
  const position = ({ field }: Row) => (EVENT_FIELDS as string[]).indexOf(field.split('.')[1] ?? '')
  const depth = ({ field }: Row) => field.split('.').length
  return rows.toSorted((a, b) => position(a) - position(b) || depth(a) - depth(b))
}

/**
 * Every field and parameter of the service, how close it is, and the test that shows it. `docs/reference/fields.md` is
 * this table, printed.
 */
export const FIELDS: Row[] = [
  ...inOrderOfReply(
    fields(EVENT, 'Event', {
      ...eventRows('Event'),
      kind: {},
      etag: {},
      id: by('Event.id and Event.iCalUID: '),
      htmlLink: {},
      created: {},
      updated: {},
      creator: {},
      'creator.email': by('Event.creator: '),
      'creator.self': by('Event.creator: '),
      'creator.id': ignored('never shown', by('Event.creator: ')),
      'creator.displayName': ignored('never shown', by('Event.creator: ')),
      organizer: {},
      'organizer.email': simplified(
        'which forms of address an import takes is not known to the letter',
        by('Event.organizer: '),
      ),
      'organizer.self': by('Event.organizer: '),
      'organizer.id': ignored('never shown', by('Event.organizer: ')),
      'organizer.displayName': by('the organizer of an event on a secondary calendar', INSERT),
      start: { file: TIMES },
      end: { file: TIMES },
      endTimeUnspecified: simplified(seeded),
      recurringEventId: by('Event.recurringEventId and Event.originalStartTime: '),
      originalStartTime: by('Event.recurringEventId and Event.originalStartTime: '),
      iCalUID: by('Event.id and Event.iCalUID: '),
      sequence: {},
      attendees: simplified('groups are expanded at once, and how many are too many is not known', { file: PEOPLE }),
      attendeesOmitted: {},
      extendedProperties: by('Event.extendedProperties.private: '),
      hangoutLink: simplified(imaginary, by('a conference request is pending first', REQUESTS)),
      conferenceData: simplified(imaginary, { file: CONFERENCE }),
      privateCopy: {},
      locked: simplified('only a seed sets it; the error for a change of a locked copy is not known'),
      'reminders.useDefault': by('Event.reminders: '),
      'reminders.overrides': by('EventReminder.minutes: '),
      source: simplified(length),
      workingLocationProperties: simplified(ACCOUNT_NOTE, by('home is created', KINDS)),
      outOfOfficeProperties: simplified(ACCOUNT_NOTE, by('out of office is created', KINDS)),
      focusTimeProperties: simplified(
        `${ACCOUNT_NOTE}; the status in chat has no effect`,
        by('focus time is created', KINDS),
      ),
      attachments: simplified('there is no Drive to ask of a file', { file: FILES }),
      birthdayProperties: simplified('contacts’ birthdays come by a seed alone', by('a birthday is created', KINDS)),
      eventLabelId: { file: LABELS },
      eventType: simplified(ACCOUNT_NOTE, by('a type can neither be changed', KINDS)),
    }),
  ),
  ...fields(FILES, 'Event', {
    gadget: simplified(storedOnly),
    ...Object.fromEntries(
      ['type', 'title', 'link', 'iconLink', 'width', 'height', 'display', 'preferences'].map((name) => [
        `gadget.${name}`,
        simplified(storedOnly),
      ]),
    ),
  }),
  ...fields(TIMES, 'EventDateTime', {
    date: {},
    dateTime: simplified('which instant is meant by a reading that clocks skip or repeat is not known'),
    timeZone: simplified('which names are known depends on the zone data of the machine'),
  }),
  ...fields(PEOPLE, 'EventAttendee', {
    id: simplified(seeded),
    email: {},
    displayName: {},
    organizer: by('EventAttendee.organizer, EventAttendee.self'),
    self: by('EventAttendee.organizer, EventAttendee.self'),
    resource: simplified('no directory says which addresses are rooms'),
    optional: {},
    responseStatus: {},
    comment: {},
    additionalGuests: {},
    asyncOperation: ignored('groups are expanded at once', by('EventAttendee.organizer, EventAttendee.self')),
  }),
  ...fields(EVENT, 'EventReminder', eventRows('EventReminder')),
  ...fields(FILES, 'EventAttachment', {
    fileUrl: {},
    title: simplified('of a file of Drive, the client’s word or Untitled: there is no Drive to ask'),
    mimeType: simplified('of a file of Drive, read off its address'),
    iconLink: simplified('of a file of Drive, made from its MIME type'),
    fileId: simplified('read off the address of a file of Drive'),
  }),
  ...fields(CONFERENCE, 'ConferenceData', {
    createRequest: by('a conference request is pending first', REQUESTS),
    entryPoints: simplified('the telephone numbers are nobody’s, one for each conference'),
    conferenceSolution: {},
    conferenceId: simplified(imaginary),
    signature: simplified(
      'a digest of the conference, on those of Workspace accounts',
      by('the conference of a', REQUESTS),
    ),
    notes: {},
    parameters: simplified(storedOnly),
  }),
  ...fields(REQUESTS, 'CreateConferenceRequest', {
    requestId: by('another requestId creates another conference', 'test/conformance/events/conferences.test.ts'),
    conferenceSolutionKey: by('a conference of type hangoutsMeet'),
    status: simplified('as the test’s policy says', by('a conference request is pending first')),
  }),
  ...fields(REQUESTS, 'ConferenceRequestStatus', {
    statusCode: simplified('as the test’s policy says', by('a failed request leaves a status')),
  }),
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
    regionCode: by('EntryPoint.regionCode: the service sets it'),
    entryPointFeatures: {},
  }),
  ...fields(CONFERENCE, 'ConferenceParameters', { addOnParameters: simplified(storedOnly) }),
  ...fields(CONFERENCE, 'ConferenceParametersAddOnParameters', { parameters: simplified(storedOnly) }),
  ...fields(TYPES, 'EventFocusTimeProperties', {
    autoDeclineMode: {},
    declineMessage: {},
    chatStatus: simplified(storedOnly),
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
    type: simplified('only a seed brings another than `birthday`'),
    contact: simplified(seeded, by('EventBirthdayProperties.contact and')),
    customTypeName: simplified(seeded, by('EventBirthdayProperties.contact and')),
  }),
  ...fields(CALENDARS, 'Calendar', {
    ...exact('kind', 'etag', 'id'),
    summary: simplified(length),
    description: simplified(length),
    location: simplified(length),
    timeZone: simplified('which names are known depends on the zone data of the machine'),
    ...exact('dataOwner', 'conferenceProperties', 'labelProperties'),
    autoAcceptInvitations: simplified('no directory says which calendars are rooms'),
    ...Object.fromEntries(
      [
        '',
        '.workingHoursEnabled',
        '.availableTimes',
        '.availableTimes.dayOfWeek',
        '.availableTimes.periodStart',
        '.availableTimes.periodEnd',
      ].map((part) => [
        `workingHours${part}`,
        {
          ...simplified('what a consumer account gets is not known'),
          ...by('only Workspace primary calendars have working hours', ACCOUNTS),
        },
      ]),
    ),
  }),
  ...fields(CALENDARS, 'ConferenceProperties', {
    allowedConferenceSolutionTypes: simplified('which types a calendar allows is as its creation or a seed says'),
  }),
  ...fields(CALENDARS, 'LabelProperties', exact('eventLabels')),
  ...fields(CALENDARS, 'EventLabel', exact('id', 'name', 'backgroundColor')),
  ...fields(CALENDARS, 'CalendarListEntry', {
    ...exact('kind', 'etag', 'id', 'summary', 'description', 'location', 'timeZone', 'dataOwner'),
    conferenceProperties: {},
    autoAcceptInvitations: simplified('no directory says which calendars are rooms'),
    summaryOverride: simplified(length),
    ...exact('colorId', 'backgroundColor', 'foregroundColor', 'hidden', 'selected', 'accessRole', 'defaultReminders'),
    notificationSettings: simplified('mails go to the outbox alone'),
    'notificationSettings.notifications': simplified('mails go to the outbox alone'),
    ...exact('primary', 'deleted'),
  }),
  ...fields(CALENDARS, 'CalendarNotification', exact('type', 'method')),
  ...fields(CALENDARS, 'AclRule', exact('kind', 'etag', 'id', 'role', 'scope', 'scope.type', 'scope.value')),
  ...fields(CALENDARS, 'Setting', {
    ...exact('kind'),
    etag: simplified('of which the service’s form is not known'),
    ...exact('id', 'value'),
  }),
  ...['Acl', 'CalendarList', 'Events', 'Settings'].flatMap((list) =>
    fields(CALENDARS, list, {
      ...exact('kind', 'etag', 'items'),
      nextPageToken: simplified(opaque),
      nextSyncToken: simplified(opaque),
    }),
  ),
  ...fields(
    CALENDARS,
    'Events',
    exact('summary', 'description', 'updated', 'timeZone', 'accessRole', 'defaultReminders'),
  ),
  ...fields(CALENDARS, 'Colors', exact('kind', 'updated', 'calendar', 'event')),
  ...fields(CALENDARS, 'ColorDefinition', exact('background', 'foreground')),
  ...fields(FREE_BUSY, 'FreeBusyRequest', {
    timeMin: {},
    timeMax: simplified('how far it may be from timeMin is not known: 93 days'),
    ...exact('timeZone', 'groupExpansionMax', 'calendarExpansionMax', 'items'),
  }),
  ...fields(FREE_BUSY, 'FreeBusyRequestItem', exact('id')),
  ...fields(FREE_BUSY, 'FreeBusyResponse', exact('kind', 'timeMin', 'timeMax', 'groups', 'calendars')),
  ...fields(FREE_BUSY, 'FreeBusyCalendar', exact('errors', 'busy')),
  ...fields(FREE_BUSY, 'FreeBusyGroup', exact('errors', 'calendars')),
  ...fields(FREE_BUSY, 'TimePeriod', exact('start', 'end')),
  ...fields(FREE_BUSY, 'Error', exact('domain', 'reason')),
  ...fields(FREE_BUSY, 'Channel', {
    ...exact('kind', 'id', 'type'),
    address: simplified('addresses of this machine may be http, and others are reached only where a test allows it'),
    ...exact('token', 'expiration', 'params'),
    payload: ignored('the service sends no bodies either'),
    resourceId: simplified(opaque),
    resourceUri: {},
  }),
  ...fields(PARAMETERS, 'Parameter', {
    ...exact('calendarId', 'eventId', 'ruleId', 'setting', 'timeMin', 'timeMax', 'timeZone'),
    q: simplified('words are found as they stand'),
    ...exact('singleEvents', 'orderBy', 'eventTypes', 'iCalUID', 'privateExtendedProperty', 'sharedExtendedProperty'),
    showHiddenInvitations: simplified('the service may hide more'),
    ...exact('updatedMin', 'maxResults'),
    pageToken: simplified(opaque),
    syncToken: simplified(opaque),
    ...exact('showDeleted', 'originalStart', 'maxAttendees', 'alwaysIncludeEmail'),
    ...exact('conferenceDataVersion', 'supportsAttachments', 'eventLabelVersion'),
    sendUpdates: simplified('mails go to the outbox alone'),
    sendNotifications: simplified('mails go to the outbox alone'),
    destination: {},
    text: simplified('a grammar of our own, in English'),
    ...exact('colorRgbFormat', 'minAccessRole', 'showHidden'),
    showOwnOrganizationOnly: simplified('an organization is a domain'),
    newDataOwner: {},
    useAdminAccess: simplified('nobody is an administrator'),
    ...exact('alt', 'fields', 'prettyPrint', 'oauth_token'),
    key: simplified('any is good, unless a seed names those that are'),
    quotaUser: simplified('counted where a test sets a quota'),
    userIp: ignored('no quota is counted'),
  }),
]
