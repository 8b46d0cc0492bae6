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

function tool<I extends ToolSchema>(
  kind: Kind,
  [title, description]: [string, string],
  input: I,
  outputSchema: ToolSchema,
) {
  const annotations = {
    title,
    readOnlyHint: kind === 'read',
    destructiveHint: kind === 'delete',
    idempotentHint: kind !== 'add',
    openWorldHint: false,
  }
  return { description, annotations, inputSchema: withShapes(input), outputSchema }
}

// The texts state the rules of the service's own texts, in other words (behaviour 17.2): a model acts by them.

const SERIES_OR_INSTANCE =
  'The id of a series stands for all its instances, past ones included; to act on one of them, give the id of that instance, which list_events returns.'
const MAIL =
  'By default every guest is notified by mail. If the user wants nobody to be notified, set notificationLevel to NONE.'
const LOCAL_TIMES =
  'Write times as local times without an offset and without Z, such as 2030-03-04T15:00:00. Set timeZone only if the user states a zone, and always then.'

const calendarId = text(
  'The id of the calendar, as list_calendars returns it. Leave it out for the primary calendar of the user.',
)
const eventId = text(`The id of the event. ${SERIES_OR_INSTANCE}`)
const timeZone = text(
  'The zone of times without an offset, and of the times in the reply: an IANA name such as Europe/Berlin. Set it only if the user states a zone, and always then; otherwise leave it out, and the zone of the user applies.',
)
const pageToken = text(
  'The nextPageToken of the previous page, for the next page. Keep all other arguments as they were.',
)
const pageSize = int32('The largest number of entries of a page. The default is 100, at most 250.')
const nextPageToken = text('The token of the next page. It is absent on the last page.')
const time = (what: string) =>
  text(
    `The ${what}, as a local time without an offset and without Z, such as 2030-03-04T15:00:00. Take it as the user says it; do not convert it.`,
  )
const END = 'It must be greater than startTime.'
const allDay = flag(
  'Whether the event lasts whole days. The times of day are then ignored, and the end is the day after the last one.',
)
const meetUrl = {
  addGoogleMeetUrl: flag(
    'Whether to add a new Google Meet call to the event. The reply has its address. An event that has a call keeps it. The default is false.',
  ),
  googleMeetUrl: text(
    'An existing Google Meet call: its URL, or its meeting id, such as abc-defg-hij. It wins over addGoogleMeetUrl. Calls of other services are refused; put their address into the location.',
  ),
}
const content = {
  availability,
  colorId: text('The colour of the event: a number from 1 to 11, as text.'),
  description: text('The description. It may contain HTML.'),
  guestPermissions: ref('GuestPermissions', 'What guests may do. What is not given keeps its default.'),
  location: text('The place, as free text: an address, a room or a name.'),
  visibility: text(
    'Who sees the details: default (as the calendar has it), public, or private (only guests and those who may change the calendar).',
  ),
}
const reminders = {
  overrideReminders: list(
    ref('Reminder', 'A reminder.'),
    'The reminders of the user alone, in place of the defaults of the calendar and of all that were set before. At most five.',
  ),
  useDefaultReminders: flag(
    'Whether the default reminders of the calendar apply. It cannot be true together with overrideReminders; false without them leaves no reminder.',
  ),
}
const attendees = list(
  ref('Attendee', 'A guest.'),
  'The guests. The user need not be among them. For a guest who need not come, set optionalAttendee.',
)
const newZone = text(
  'The zone to which the event changes: an IANA name such as Europe/Berlin, in which times without an offset are read as well. Set it only if the user states a zone, and always then; otherwise leave it out, and the event keeps its zone.',
)
const emails = (what: string) => list({ type: 'string' as const }, what)
const events = list(ref('Event', 'An event.'), 'The events of the page. The key is absent if there are none.')
const reminder = ref('Reminder', 'A reminder.')

/** Texts and schemas, with descriptions of our own. `--mcp-tools` shows recorded ones in their place. */
export const TOOL_TABLE = {
  list_events: tool(
    'read',
    [
      'Lists calendar events in a given calendar.',
      `Returns the events of one calendar that overlap a window of time, one entry for each instance of a series. Use it for questions about a calendar or a time, such as what is on today. For an open question about a keyword or a topic on the primary calendar, such as when the budget is discussed, use search_events instead. Give no startTime and no endTime unless the user names a time: without them the next 7 days are listed. ${LOCAL_TIMES}`,
    ],
    object('The window and the filters.', {
      calendarId,
      endTime: text(
        `The end of the window, as startTime is written. ${END} Set it only if the user names a time. The default is 7 days after startTime.`,
      ),
      eventType: list(
        eventType('A type.'),
        'The types of events to return. Without it: DEFAULT, OUT_OF_OFFICE, FOCUS_TIME and FROM_GMAIL. Working locations and birthdays are returned only if they are named here.',
      ),
      eventTypeFilter: deprecated(emails('The types of events to return, as texts. Use eventType.')),
      fullText: text(
        'Terms to find: an event must have all of them verbatim, in any case, in its title, description, location or guests. It finds no synonyms and no other forms of a word; for those use search_events.',
      ),
      orderBy: text(
        'The order: startTime (the earliest first), startTimeDesc (the latest first), lastModified (the latest change last), or default. The default order is unspecified, but the same each time: name an order where it matters.',
      ),
      pageSize: int32(
        'The largest number of events of a page. The default is 100, at most 250; 10 is recommended, because each event is long.',
      ),
      pageToken,
      startTime: text(
        'The start of the window, as a local time without an offset and without Z, such as 2030-03-04T15:00:00. Set it only if the user names a time. The default is now.',
      ),
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
    [
      'Returns a single event on the specified calendar.',
      `Returns one event by its id, with its guests and their answers. ${SERIES_OR_INSTANCE}`,
    ],
    object('The event.', { calendarId, eventId }, ['eventId']),
    EVENT_OUTPUT,
  ),
  list_calendars: tool(
    'read',
    [
      "Returns the calendars on the user's calendar list.",
      'Returns the calendars that the user owns or has subscribed to, with the ids by which the other tools name them. Another calendar that is shared with the user is reachable by its id, which is often the e-mail address of its owner, without a subscription.',
    ],
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
    [
      'Suggests time periods across one or more calendars.',
      `Returns the earliest periods in which all attendees are free, within working hours. It books nothing: call create_event with a period that the user chose. It fails for an attendee whose calendar the user cannot see. ${LOCAL_TIMES}`,
    ],
    object(
      'The guests and the window.',
      {
        attendeeEmails: emails(
          'The e-mail addresses of all who take part, at most 50. primary stands for the user, who is not added by itself.',
        ),
        durationMinutes: int32('The length of a period in minutes. The default is 30.'),
        endTime: text(`The end of the window, as startTime is written. ${END}`),
        preferences: ref('Preferences', 'Limits for the periods: working hours, weekends, and how many.'),
        startTime: time('start of the window'),
        timeZone,
      },
      ['attendeeEmails', 'startTime', 'endTime'],
    ),
    withShapes(object('Free periods.', { timeSlots: list(ref('TimeSlot', 'A period.'), 'The periods in order.') })),
  ),
  create_event: tool(
    'add',
    [
      'Creates a calendar event.',
      `Creates an event, or with recurrenceData a series. On the primary calendar, an event with guests has the user among them. ${MAIL} ${LOCAL_TIMES}`,
    ],
    object(
      'The event.',
      {
        ...{ ...content, ...reminders, ...meetUrl, allDay, attendees, calendarId, notificationLevel, timeZone },
        attachments: list(ref('Attachment', 'A file.'), 'The files to attach.'),
        attendeeEmails: deprecated(emails('The e-mail addresses of guests. Use attendees.')),
        endTime: text(`The end, exclusive, as startTime is written. ${END}`),
        eventType: eventType(
          'The type of the event. FROM_GMAIL cannot be created. The types other than DEFAULT stand only on the primary calendar.',
        ),
        recurrenceData: emails(
          'The rule of a series: lines RRULE, RDATE and EXDATE of RFC 5545, such as RRULE:FREQ=WEEKLY;BYDAY=MO. No tool changes it later.',
        ),
        startTime: time('start'),
        summary: text('The title.'),
        workingLocationProperties: ref(
          'WorkingLocationProperties',
          'The place of work, for the type WORKING_LOCATION. The default is at home.',
        ),
      },
      ['summary', 'startTime', 'endTime'],
    ),
    EVENT_OUTPUT,
  ),
  update_event: tool(
    'write',
    [
      'Updates a calendar event.',
      `Changes fields of an event. What is left out does not change; status, recurrence and type cannot be changed. ${SERIES_OR_INSTANCE} ${MAIL} ${LOCAL_TIMES}`,
    ],
    object(
      'The event and its changes.',
      {
        ...{ ...content, ...reminders, ...meetUrl, allDay, calendarId, eventId, notificationLevel, timeZone: newZone },
        addedAttachments: list(ref('Attachment', 'A file.'), 'Files to attach, beside those of the event.'),
        addedAttendeeEmails: deprecated(emails('The e-mail addresses of guests to add. Use addedAttendees.')),
        addedAttendees: list(
          ref('Attendee', 'A guest.'),
          'Guests to add. For a guest who is invited already, the given fields change, such as optionalAttendee.',
        ),
        endTime: text(`The new end, as startTime is written. ${END}`),
        removedAttachmentFileUrls: emails('The URLs of attached files to remove.'),
        removedAttendeeEmails: emails('The e-mail addresses of guests to remove.'),
        startTime: text(
          'The new start, as a local time without an offset and without Z, such as 2030-03-04T15:00:00. Without endTime the event keeps its length.',
        ),
        summary: text('The new title.'),
      },
      ['eventId'],
    ),
    EVENT_OUTPUT,
  ),
  delete_event: tool(
    'delete',
    [
      'Deletes a calendar event.',
      `Deletes an event, and returns it as cancelled. ${SERIES_OR_INSTANCE} Of an event that another person organizes, only the copy of the user is deleted. ${MAIL}`,
    ],
    object('The event.', { calendarId, eventId, notificationLevel }, ['eventId']),
    EVENT_OUTPUT,
  ),
  respond_to_event: tool(
    'write',
    [
      'Responds to an event.',
      `Answers an invitation on behalf of the user: accepts, declines or tentatively accepts it. It cannot answer for another guest, propose another time, take an answer back to needsAction, or change the event; use update_event to change it. ${SERIES_OR_INSTANCE} ${MAIL}`,
    ],
    object(
      'The event and the answer.',
      {
        ...{ calendarId, eventId, notificationLevel },
        responseComment: text('A comment for the organizer and the other guests, shown beside the answer.'),
        responseStatus: text('The answer of the user: declined, tentative or accepted.'),
      },
      ['eventId', 'responseStatus'],
    ),
    EVENT_OUTPUT,
  ),
  search_events: tool(
    'read',
    [
      "Searches for events on the user's primary calendar.",
      'Searches the primary calendar of the user by meaning, the best matches first, in the past and in the future. Use it for open questions about a keyword or a topic, such as when the budget is discussed. For another calendar, a given time, or a word that must occur verbatim, use list_events.',
    ],
    object(
      'The search.',
      {
        pageSize: int32('The largest number of events of a page.'),
        pageToken,
        query: text('What to search for, in the words of the user: a topic, a name, a place or a keyword.'),
      },
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
