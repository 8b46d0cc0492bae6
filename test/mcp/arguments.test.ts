import { expect, test } from 'vitest'
import { parseToolArguments } from '../../src/mcp/arguments.ts'
import { TOOL_TABLE, type ToolArguments } from '../../src/mcp/definitions/tools.ts'

test('17.3 the arguments of a tool have the names, types and needs of its input schema', () => {
  const args: ToolArguments<'create_event'> = {
    ...{ summary: 'Lunch', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00', allDay: false },
    attendees: [{ email: 'owen@lumen.example.com', optionalAttendee: true, additionalGuests: 1 }],
    recurrenceData: ['RRULE:FREQ=DAILY'],
  }
  // @ts-expect-error: the definitions have no argument of this name
  const renamed: ToolArguments<'create_event'> = { ...args, reccurrenceData: ['RRULE:FREQ=DAILY'] }
  // @ts-expect-error: `summary` is needed
  const incomplete: ToolArguments<'create_event'> = { startTime: '', endTime: '' }
  // @ts-expect-error: a list of texts
  const mistyped: ToolArguments<'suggest_time'> = { startTime: '', endTime: '', attendeeEmails: [1] }
  // @ts-expect-error: a shape that a list refers to
  const nested: ToolArguments<'create_event'> = { ...args, attendees: [{ mail: 'owen@lumen.example.com' }] }
  const { create_event: create, suggest_time: suggest } = TOOL_TABLE

  expect(parseToolArguments(create, args)).toEqual({ args, otherForms: [] })
  expect(() => parseToolArguments(create, renamed)).toThrow('Unknown name "reccurrenceData"')
  expect(() => parseToolArguments(create, incomplete)).toThrow('Missing required field: summary')
  expect(() => parseToolArguments(suggest, mistyped)).toThrow("Invalid value at 'attendeeEmails[0]' (TYPE_STRING), 1")
  expect(() => parseToolArguments(create, nested)).toThrow(`Unknown name "mail" at 'attendees[0]'`)
})

test.each([
  ['list_events', { page_size: '10', order_by: 'startTime' }, { pageSize: 10, orderBy: 'startTime' }, ['pageSize', 'pageSize', 'orderBy']],
  ['list_events', { eventType: [2, 'DEFAULT'] }, { eventType: ['OUT_OF_OFFICE', 'DEFAULT'] }, ['eventType[0]']],
  ['delete_event', { event_id: 'x', notification_level: 1 }, { eventId: 'x', notificationLevel: 'NONE' }, ['eventId', 'notificationLevel', 'notificationLevel']],
  ['update_event', { eventId: 'x', overrideReminders: [{ method: 'popup', minutes: '-5' }] }, { eventId: 'x', overrideReminders: [{ method: 'popup', minutes: -5 }] }, ['overrideReminders[0].minutes']],
] as const)('17.8 %s takes %j as the parser of the service does', (tool, given, args, otherForms) => {
  expect(parseToolArguments(TOOL_TABLE[tool], given)).toEqual({ args, otherForms })
}) // biome-ignore format: a table

test.each([
  ['list_events', { page__size: 1 }, 'Unknown name "page__size"'],
  ['list_events', { PageSize: 1 }, 'Unknown name "PageSize"'],
  ['list_events', { pageSize: '1x' }, `Invalid value at 'pageSize' (TYPE_INT32), "1x"`],
  ['list_events', { pageSize: '9999999999' }, `Invalid value at 'pageSize' (TYPE_INT32), "9999999999"`],
  ['list_events', { pageSize: '' }, `Invalid value at 'pageSize' (TYPE_INT32), ""`],
  ['list_events', { eventType: [7] }, "Invalid value at 'eventType[0]' (TYPE_ENUM), 7"],
  ['list_events', { eventType: [1.5] }, "Invalid value at 'eventType[0]' (TYPE_ENUM), 1.5"],
  ['list_events', { fullText: 10 }, "Invalid value at 'fullText' (TYPE_STRING), 10"],
  ['create_event', { allDay: 'true' }, `Invalid value at 'allDay' (TYPE_BOOL), "true"`],
  ['list_events', { __proto__x: 1 }, 'Unknown name "__proto__x"'],
  ['list_events', { ['y'.repeat(9_000_000)]: 1 }, `Unknown name "${'y'.repeat(199)}…: Cannot find field.`],
] as const)('17.8 %s refuses other forms of %j', (tool, given, message) => {
  expect(() => parseToolArguments(TOOL_TABLE[tool], given)).toThrow(message)
}) // biome-ignore format: a table
