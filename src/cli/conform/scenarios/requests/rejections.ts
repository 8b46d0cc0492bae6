import { errorScenarios, type ScenarioGroup } from '../../scenario.ts'
import { rejectInsert, rejectQuery } from './rejectedRequests.ts'

const LIST = '/users/me/calendarList'
/** Suppresses mail about rules. */
const SILENT = { query: { sendNotifications: false } }

const BOTH = 'Start and end times must either both be date or both be dateTime.'

/** Requests that the service rejects, because a parameter or a field is invalid or missing. */
export const rejections: ScenarioGroup = {
  name: 'rejections',
  scenarios: errorScenarios([
    rejectQuery(
      'an unknown eventTypes is rejected',
      '1.13',
      { eventTypes: 'party' },
      { reason: 'invalidParameter', location: 'eventTypes' },
    ),
    rejectQuery(
      'maxResults=-1 is rejected',
      '1.11',
      { maxResults: '-1' },
      { reason: 'invalidParameter', location: 'maxResults' },
    ),
    rejectQuery(
      'maxAttendees=0 is rejected',
      '1.19',
      { maxAttendees: '0' },
      { reason: 'invalidParameter', location: 'maxAttendees' },
    ),
    rejectQuery(
      'a timeMax that is not a timestamp is rejected',
      '1.14',
      { timeMax: 'tomorrow' },
      { reason: 'badRequest' },
    ),
    rejectQuery(
      'an updatedMin without an offset is rejected',
      '1.14',
      { updatedMin: '2031-01-01T00:00:00' },
      { reason: 'badRequest' },
    ),
    rejectQuery(
      'a timestamp with a space instead of the plus is rejected',
      '1.14',
      { timeMin: '2031-01-01T00:00:00 01:00' },
      { reason: 'badRequest' },
    ),
    rejectQuery(
      'a timeMax before timeMin is rejected',
      '1.15, 2.2.5',
      { timeMin: '2031-01-02T00:00:00Z', timeMax: '2031-01-01T00:00:00Z' },
      { domain: 'calendar', reason: 'timeRangeEmpty' },
    ),
    rejectQuery(
      'an unknown field of items in fields is rejected',
      '11.11',
      { fields: 'items(foo)' },
      { reason: 'invalidParameter', location: 'fields' },
    ),
    rejectInsert('a start without date and dateTime is rejected', '2.2.2, 3.2.11', () => ({ start: {} }), {
      message: BOTH,
    }),
    rejectInsert('a date that does not exist is rejected', '2.2.1', () => ({
      start: { date: '2031-02-30' },
      end: { date: '2031-03-02' },
    })),
    rejectInsert(
      'a zone in lower case is rejected',
      '13.1',
      (kit) => ({ start: { ...kit.hour(9).start, timeZone: 'europe/berlin' } }),
      { message: 'Invalid time zone definition for start time.' },
    ),
    rejectInsert('an id of capital letters and digits is rejected', '2.2.4, 3.2.4', () => ({ id: 'ABC12345' }), {
      message: 'Invalid resource id value.',
    }),
    rejectInsert(
      'an id above 1024 characters is rejected',
      '2.2.4, 12.2',
      () => ({ id: 'a'.repeat(1025), summary: 'Long' }),
      {
        message: 'Invalid resource id value.',
      },
    ),
    rejectInsert('an id with a hyphen is rejected', '2.2.4, 3.2.4', () => ({ id: 'abc-def' }), {
      message: 'Invalid resource id value.',
    }),
    rejectInsert(
      'a recurrence with a DTEND line is rejected',
      '4.2.1',
      () => ({ recurrence: ['DTEND:20310101T090000Z', 'RRULE:FREQ=DAILY'] }),
      {
        message: 'Invalid recurrence rule.',
      },
    ),
    rejectInsert(
      'a rule with an offset in UNTIL is rejected',
      '4.2.3',
      () => ({ recurrence: ['RRULE:FREQ=DAILY;UNTIL=2031-07-16T00:00:00+08:00'] }),
      { message: 'Invalid recurrence rule.' },
    ),
    rejectInsert(
      'an invalid EXDATE is rejected',
      '4.2.1',
      () => ({ recurrence: ['EXDATE:never', 'RRULE:FREQ=DAILY;COUNT=2'] }),
      { message: 'Invalid recurrence rule.' },
    ),
    rejectInsert('a rule by the minute is rejected', '4.2.3', () => ({ recurrence: ['RRULE:FREQ=MINUTELY;COUNT=2'] }), {
      message: 'Invalid recurrence rule.',
    }),
    rejectInsert('a rule by the second is rejected', '4.2.3', () => ({ recurrence: ['RRULE:FREQ=SECONDLY;COUNT=2'] }), {
      message: 'Invalid recurrence rule.',
    }),
    rejectInsert(
      'focusTimeProperties of an event of the type default are rejected',
      '8.3',
      () => ({ focusTimeProperties: {} }),
      {
        message: 'focusTimeProperties requires an event type of focusTime, and vice versa.',
      },
    ),
    rejectInsert(
      'workingLocationProperties of an event of the type default are rejected',
      '8.3',
      () => ({ workingLocationProperties: {} }),
      {
        message: 'workingLocationProperties requires an event type of workingLocation, and vice versa.',
      },
    ),
    rejectInsert('colorId=0 of an event is rejected', '3.2.12', () => ({ colorId: '0' }), { reason: 'invalid' }),
    [
      'a rule without a role is rejected',
      '1.25, 3.6.3',
      'POST',
      (kit) => kit.aclPath(),
      () => ({ body: { scope: { type: 'default' } }, ...SILENT }),
      { status: 400 },
    ],
    [
      'a rule for a user without an address is rejected',
      '1.25, 2.2.8',
      'POST',
      (kit) => kit.aclPath(),
      () => ({ body: { role: 'reader', scope: { type: 'user' } }, ...SILENT }),
      { status: 400 },
    ],
    [
      'a list entry without an id is rejected',
      '1.25, 3.5.4',
      'POST',
      LIST,
      () => ({ body: { colorId: '1' } }),
      { status: 400 },
    ],
    [
      'PUT of an event without times is rejected',
      '1.25, 3.9.1',
      'PUT',
      async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}`,
      () => ({ body: { summary: 'A' } }),
      { status: 400, reason: 'required', message: 'Missing end time.' },
    ],
    [
      'an import without times is rejected',
      '1.25, 7.8',
      'POST',
      'import',
      async (kit) => ({ body: { iCalUID: `${await kit.unusedId()}@example.com` } }),
      { status: 400 },
    ],
    [
      'PATCH with null as the start is rejected',
      '2.2.2',
      'PATCH',
      async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}`,
      () => ({ body: { start: null } }),
      { status: 400 },
    ],
    [
      'PATCH of an event that does not exist is 404',
      '2.2.4',
      'PATCH',
      'nothing',
      () => ({ body: { summary: 'A' } }),
      { status: 404, reason: 'notFound' },
    ],
    [
      'DELETE of an event that does not exist is 404',
      '2.2.4',
      'DELETE',
      'nothing',
      undefined,
      { status: 404, reason: 'notFound' },
    ],
    [
      'the instances of an event that does not exist are 404',
      '2.2.4, 4.4',
      'GET',
      'nothing/instances',
      undefined,
      { status: 404, reason: 'notFound' },
    ],
    [
      'the rules of a calendar that does not exist are 404',
      '2.2.4',
      'GET',
      '/calendars/fake-calendar-nobody@group.calendar.google.com/acl',
      undefined,
      { status: 404, reason: 'notFound' },
    ],
    [
      'DELETE of a calendar that does not exist is 404',
      '2.2.4',
      'DELETE',
      '/calendars/fake-calendar-nobody@group.calendar.google.com',
      undefined,
      { status: 404, reason: 'notFound' },
    ],
    [
      'the list entry of a calendar that does not exist is 404',
      '2.2.4',
      'GET',
      `${LIST}/fake-calendar-nobody@group.calendar.google.com`,
      undefined,
      { status: 404, reason: 'notFound' },
    ],
    [
      'PATCH with a body that is not JSON is rejected',
      '2.2.1',
      'PATCH',
      async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}`,
      () => ({ body: '{' }),
      { status: 400, reason: 'parseError' },
    ],
    [
      'transferOwnership without useAdminAccess is rejected',
      '15.8, 1.24',
      'POST',
      async (kit) => `/calendars/${await kit.calendarId()}/transferOwnership`,
      () => ({ query: { newDataOwner: 'zoe@example.com' } }),
      { status: 400, reason: 'required', location: 'useAdminAccess' },
    ],
  ]),
}
