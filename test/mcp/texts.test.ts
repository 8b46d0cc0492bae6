import { expect, test } from 'vitest'
import { TOOLS, type ToolDefinition } from '../../src/mcp/definitions/tools.ts'

/** The rules that the service's own texts give a model: the tool, its argument ('' for its own text), and words of the rule. */
const RULES: [tool: string, argument: string, rule: RegExp][] = [
  ['list_events', '', /no startTime and no endTime unless the user names a time/],
  ['list_events', '', /open question about a keyword or a topic on the primary calendar.*use search_events instead/],
  ['list_events', 'startTime', /local time without an offset and without Z.*only if the user names a time/],
  ['list_events', 'endTime', /greater than startTime.*only if the user names a time/],
  ['list_events', 'fullText', /all of them verbatim/],
  ['list_events', 'orderBy', /default order is unspecified/],
  ['list_events', 'pageSize', /at most 250/],
  ['get_event', 'eventId', /id of a series stands for all its instances.*id of that instance/],
  ['suggest_time', 'startTime', /local time without an offset and without Z/],
  ['suggest_time', 'endTime', /greater than startTime/],
  ['suggest_time', 'attendeeEmails', /primary stands for the user/],
  ['create_event', '', /every guest is notified by mail.*notificationLevel to NONE/],
  ['create_event', '', /has the user among them/],
  ['create_event', 'startTime', /local time without an offset and without Z/],
  ['create_event', 'endTime', /greater than startTime/],
  ['create_event', 'googleMeetUrl', /its URL, or its meeting id/],
  ['create_event', 'addGoogleMeetUrl', /new Google Meet call/],
  ['create_event', 'attendees', /need not come, set optionalAttendee/],
  ['create_event', 'eventType', /FROM_GMAIL cannot be created/],
  ['create_event', 'recurrenceData', /RRULE, RDATE and EXDATE/],
  ['update_event', '', /left out does not change.*recurrence and type cannot be changed/],
  ['update_event', '', /every guest is notified by mail.*notificationLevel to NONE/],
  ['update_event', 'eventId', /id of a series stands for all its instances/],
  ['update_event', 'timeZone', /zone to which the event changes/],
  ['update_event', 'startTime', /local time without an offset and without Z.*keeps its length/],
  ['update_event', 'endTime', /greater than startTime/],
  ['update_event', 'googleMeetUrl', /its URL, or its meeting id/],
  ['update_event', 'addedAttendees', /optionalAttendee/],
  ['update_event', 'overrideReminders', /in place of.*all that were set before/],
  ['delete_event', '', /every guest is notified by mail.*notificationLevel to NONE/],
  ['delete_event', 'eventId', /id of a series stands for all its instances/],
  ['respond_to_event', '', /cannot answer for another guest, propose another time/],
  ['respond_to_event', '', /every guest is notified by mail.*notificationLevel to NONE/],
  ['respond_to_event', 'eventId', /id of a series stands for all its instances/],
  ['search_events', '', /primary calendar.*open questions about a keyword or a topic.*use list_events/],
  ...['list_events', 'suggest_time', 'create_event', 'update_event'].map(
    (tool): [string, string, RegExp] => [tool, 'timeZone', /only if the user states a zone, and always then/],
  ),
  ...['list_events', 'suggest_time', 'create_event', 'update_event'].map(
    (tool): [string, string, RegExp] => [tool, '', /local times without an offset and without Z.*only if the user states/],
  ),
  ...['create_event', 'update_event', 'delete_event', 'respond_to_event'].map(
    (tool): [string, string, RegExp] => [tool, 'notificationLevel', /default is ALL.*NONE if the user wants nobody/],
  ),
] // biome-ignore format: a table

const textOf = (tool: string, argument: string, tools: readonly ToolDefinition[] = TOOLS): string => {
  const { description = '', inputSchema } = tools.find(({ name }) => name === tool) ?? { inputSchema: {} }
  return argument === '' ? description : (inputSchema.properties?.[argument]?.description ?? '')
}

test.each(RULES)('17.2 the text of %s %s gives the rule %s', (tool, argument, rule) => {
  expect(textOf(tool, argument)).toMatch(rule)
})

test('17.2 descriptions begin with what the tool does, and the length of the list is near that of the service', () => {
  for (const { description = '', annotations } of TOOLS) {
    expect(description).toMatch(/^(?:Returns|Creates|Changes|Deletes|Answers|Searches) /)
    expect(description.startsWith(String(Object(annotations).title))).toBe(false)
  }
  // The recorded list has 84,758 bytes.
  const { length } = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: TOOLS } }))
  expect(length).toBeGreaterThan(80_000)
  expect(length).toBeLessThan(90_000)
})

test('a description with the title in front of it, or a rule of another tool, does not pass', () => {
  const [first] = TOOLS
  const titled = { ...first, description: `${Object(first?.annotations).title} ${first?.description}` } as ToolDefinition
  expect(textOf('list_events', '', [titled])).not.toMatch(/^Returns /)
  expect(textOf('list_events', 'timeZone')).not.toMatch(/zone to which the event changes/)
}) // biome-ignore format: lines of a kind
