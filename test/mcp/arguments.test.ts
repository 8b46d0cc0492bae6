import { expect, test } from 'vitest'
import { parseArguments } from '../../src/mcp/arguments.ts'
import { TOOL_TABLE, type ToolArguments } from '../../src/mcp/definitions/tools.ts'

test('the arguments of a tool have the names, types and needs of its input schema', () => {
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

  expect(parseArguments(create, args)).toEqual(args)
  expect(() => parseArguments(create, renamed)).toThrow('Unknown name "reccurrenceData"')
  expect(() => parseArguments(create, incomplete)).toThrow('Missing required field: summary')
  expect(() => parseArguments(suggest, mistyped)).toThrow("Invalid value at 'attendeeEmails[0]' (TYPE_STRING), 1")
  expect(() => parseArguments(create, nested)).toThrow(`Unknown name "mail" at 'attendees[0]'`)
})
