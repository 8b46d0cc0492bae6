import { parseToolArguments } from '../arguments.ts'
import type { ToolName } from '../definitions/toolNames.ts'
import { TOOL_TABLE, type ToolArguments } from '../definitions/tools.ts'
import type { ToolHost } from '../host.ts'
import { runCreateEvent } from './createEvent.ts'
import { runDeleteEvent } from './deleteEvent.ts'
import { runListEvents } from './listEvents.ts'
import { runGetEvent, runListCalendars } from './reads.ts'
import { runRespondToEvent } from './respondToEvent.ts'
import { runSearchEvents } from './searchEvents.ts'
import { runSuggestTime } from './suggestTime.ts'
import { runUpdateEvent } from './updateEvent.ts'

const TOOL_FUNCTIONS: { readonly [N in ToolName]: (host: ToolHost, args: ToolArguments<N>) => Promise<object> } = {
  list_events: runListEvents,
  get_event: runGetEvent,
  list_calendars: runListCalendars,
  suggest_time: runSuggestTime,
  create_event: runCreateEvent,
  update_event: runUpdateEvent,
  delete_event: runDeleteEvent,
  respond_to_event: runRespondToEvent,
  search_events: runSearchEvents,
}

/** The result of a tool, with its checked arguments. */
export type ToolRun = {
  readonly result: object
  readonly args: Readonly<Record<string, unknown>>
  /** Where the arguments have another form than the schema, which the parser takes. */
  readonly otherForms: readonly string[]
}

/** Checks the arguments and runs a tool. Throws a ToolError or a RestError, of which the model gets the text. */
export async function runTool<N extends ToolName>(name: N, host: ToolHost, given: unknown): Promise<ToolRun> {
  const { args, otherForms } = parseToolArguments(TOOL_TABLE[name], given)
  return { result: await TOOL_FUNCTIONS[name](host, args), args, otherForms }
}
