import {
  availability,
  deprecated,
  EVENT_OUTPUT,
  eventType,
  flag,
  int32,
  list,
  notificationLevel,
  object,
  readOnly,
  ref,
  type ToolSchema,
  text,
  type ValueOf,
  withShapes,
} from './shapes.ts'
import { TOOL_NAMES, type ToolName } from './toolNames.ts'

export type ToolDefinition = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly annotations?: object
  readonly inputSchema: ToolSchema
  readonly outputSchema?: ToolSchema
}

type Kind = 'read' | 'add' | 'write' | 'delete'

function tool<I extends ToolSchema>(kind: Kind, [title, more]: [string, string], input: I, outputSchema: ToolSchema) {
  const annotations = {
    title,
    readOnlyHint: kind === 'read',
    destructiveHint: kind === 'delete',
    idempotentHint: kind !== 'add',
    openWorldHint: false,
  }
  return { description: `${title} ${more}`, annotations, inputSchema: withShapes(input), outputSchema }
}

const calendarId = text('The calendar. The default is the primary calendar of the caller.')
const eventId = text('The event, or one instance of a series.')
const timeZone = text('An IANA name. Give it only if the user named a zone; the default is the zone of the user.')
const pageToken = text('The nextPageToken of the previous page.')
const pageSize = int32('The number of entries of a page. The default is 100, at most 250.')
const nextPageToken = text('The token of the next page. The last page has none.')
const time = (name: string) => text(`The ${name}: a local time without an offset, or RFC 3339.`)
const allDay = flag('Whether the event lasts whole days. The times then count as midnight.')
const meetUrl = {
  addGoogleMeetUrl: flag('Whether to add a video call.'),
  googleMeetUrl: text('The address of an existing video call. It wins over addGoogleMeetUrl.'),
}
const content = {
  availability,
  colorId: text('The colour, from 1 to 11.'),
  description: text('The description, which may contain HTML.'),
  guestPermissions: ref('GuestPermissions', 'What guests may do.'),
  location: text('The place, as text.'),
  visibility: text('default, public or private.'),
}
const reminders = {
  overrideReminders: list(ref('Reminder', 'A reminder.'), 'The reminders, in place of the defaults of the calendar.'),
  useDefaultReminders: flag('Whether the defaults of the calendar apply. Not together with overrideReminders.'),
}
const attendees = list(ref('Attendee', 'A guest.'), 'The guests.')
const emails = (what: string) => list({ type: 'string' as const }, what)
const events = list(ref('Event', 'An event.'), 'The events. The key is absent if there are none.')
const reminder = ref('Reminder', 'A reminder.')

/** Texts and schemas, with descriptions of our own. `--mcp-tools` shows recorded ones in their place. */
export const TOOL_TABLE = {
  list_events: tool(
    'read',
    ['Lists calendar events in a given calendar.', 'Gives the events that overlap a window of time.'],
    object('The window and the filters.', {
      calendarId,
      endTime: text('The end of the window. The default is 7 days after startTime.'),
      eventType: list(
        eventType('A type.'),
        'The types. The default is DEFAULT, OUT_OF_OFFICE, FOCUS_TIME and FROM_GMAIL.',
      ),
      eventTypeFilter: deprecated(emails('The types. Use eventType.')),
      fullText: text('Words that must all occur in title, description, location or guests.'),
      orderBy: text('default, startTime, startTimeDesc or lastModified.'),
      pageSize: int32('The number of events of a page. The default is 100, at most 250; 10 is recommended.'),
      pageToken,
      startTime: text('The start of the window. The default is now.'),
      timeZone,
    }),
    withShapes(
      object('A page of events, with properties of the calendar.', {
        accessRole: readOnly(text('none, freeBusyReader, reader, writer or owner.')),
        defaultReminders: list(reminder, 'The default reminders of the calendar.'),
        description: text('The description of the calendar.'),
        events,
        nextPageToken,
        summary: text('The title of the calendar.'),
        timeZone: text('The time zone of the calendar.'),
        updated: text('The time of the last change of the calendar.'),
      }),
    ),
  ),
  get_event: tool(
    'read',
    ['Returns a single event on the specified calendar.', 'The event may be an instance of a series.'],
    object('The event.', { calendarId, eventId }, ['eventId']),
    EVENT_OUTPUT,
  ),
  list_calendars: tool(
    'read',
    ["Returns the calendars on the user's calendar list.", 'Others are reachable by their id if they are shared.'],
    object('The page.', { pageSize, pageToken }),
    withShapes(
      object('A page of calendars.', {
        calendars: list(ref('CalendarListItem', 'A calendar.'), 'The calendars.'),
        nextPageToken,
      }),
    ),
  ),
  suggest_time: tool(
    'read',
    ['Suggests time periods across one or more calendars.', 'All guests are free in each period.'],
    object(
      'The guests and the window.',
      {
        attendeeEmails: emails('The guests. primary means the caller.'),
        durationMinutes: int32('The length in minutes. The default is 30.'),
        endTime: time('end of the window'),
        preferences: ref('Preferences', 'Limits for the periods.'),
        startTime: time('start of the window'),
        timeZone,
      },
      ['attendeeEmails', 'startTime', 'endTime'],
    ),
    withShapes(object('Free periods.', { timeSlots: list(ref('TimeSlot', 'A period.'), 'The periods in order.') })),
  ),
  create_event: tool(
    'add',
    ['Creates a calendar event.', 'Guests get mail unless notificationLevel says otherwise.'],
    object(
      'The event.',
      {
        ...{ ...content, ...reminders, ...meetUrl, allDay, attendees, calendarId, notificationLevel, timeZone },
        attachments: list(ref('Attachment', 'A file.'), 'The attached files.'),
        attendeeEmails: deprecated(emails('The guests. Use attendees.')),
        endTime: time('end'),
        eventType: eventType('The type. FROM_GMAIL cannot be created.'),
        recurrenceData: emails('RRULE, RDATE and EXDATE lines of a series.'),
        startTime: time('start'),
        summary: text('The title.'),
        workingLocationProperties: ref('WorkingLocationProperties', 'The place of work, for WORKING_LOCATION.'),
      },
      ['summary', 'startTime', 'endTime'],
    ),
    EVENT_OUTPUT,
  ),
  update_event: tool(
    'write',
    ['Updates a calendar event.', 'What is left out does not change. The id of a series changes all its instances.'],
    object(
      'The event and its changes.',
      {
        ...{ ...content, ...reminders, ...meetUrl, allDay, calendarId, eventId, notificationLevel, timeZone },
        addedAttachments: list(ref('Attachment', 'A file.'), 'Files to attach.'),
        addedAttendeeEmails: deprecated(emails('Guests to add. Use addedAttendees.')),
        addedAttendees: list(ref('Attendee', 'A guest.'), 'Guests to add.'),
        endTime: time('new end'),
        removedAttachmentFileUrls: emails('The addresses of files to remove.'),
        removedAttendeeEmails: emails('Guests to remove.'),
        startTime: text('The new start. Without endTime the event keeps its length.'),
        summary: text('The new title.'),
      },
      ['eventId'],
    ),
    EVENT_OUTPUT,
  ),
  delete_event: tool(
    'delete',
    ['Deletes a calendar event.', 'The id of a series deletes all its instances.'],
    object('The event.', { calendarId, eventId, notificationLevel }, ['eventId']),
    EVENT_OUTPUT,
  ),
  respond_to_event: tool(
    'write',
    ['Responds to an event.', 'It sets the answer of the caller alone.'],
    object(
      'The event and the answer.',
      {
        ...{ calendarId, eventId, notificationLevel },
        responseComment: text('A comment for the organizer.'),
        responseStatus: text('declined, tentative or accepted.'),
      },
      ['eventId', 'responseStatus'],
    ),
    EVENT_OUTPUT,
  ),
  search_events: tool(
    'read',
    ["Searches for events on the user's primary calendar.", 'The best matches come first.'],
    object(
      'The search.',
      { pageSize: int32('The number of events of a page.'), pageToken, query: text('What to search for.') },
      ['query'],
    ),
    withShapes(object('A page of events.', { events, nextPageToken })),
  ),
}

export const TOOLS: readonly (ToolDefinition & { name: ToolName })[] = TOOL_NAMES.map((name) => ({
  name,
  ...TOOL_TABLE[name],
}))

/** The arguments of a tool, as its input schema describes them. */
export type ToolArguments<N extends ToolName> = ValueOf<(typeof TOOL_TABLE)[N]['inputSchema']>
