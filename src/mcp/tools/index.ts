import { parseArguments } from '../arguments.ts'
import type { ToolName } from '../definitions/toolNames.ts'
import { TOOLS, type ToolDefinition } from '../definitions/tools.ts'
import type { ToolHost } from '../host.ts'
import { createEvent } from './createEvent.ts'
import { deleteEvent } from './deleteEvent.ts'
import { listEvents } from './listEvents.ts'
import { getEvent, listCalendars } from './reads.ts'
import { respondToEvent } from './respondToEvent.ts'
import { searchEvents } from './searchEvents.ts'
import { suggestTime } from './suggestTime.ts'
import { updateEvent } from './updateEvent.ts'

type RunTool = (host: ToolHost, args: never) => Promise<object>

const RUN: { readonly [N in ToolName]: RunTool } = {
  list_events: listEvents,
  get_event: getEvent,
  list_calendars: listCalendars,
  suggest_time: suggestTime,
  create_event: createEvent,
  update_event: updateEvent,
  delete_event: deleteEvent,
  respond_to_event: respondToEvent,
  search_events: searchEvents,
}

export const findTool = (name: string): (ToolDefinition & { name: ToolName }) | undefined =>
  TOOLS.find((tool) => tool.name === name) as (ToolDefinition & { name: ToolName }) | undefined

/** Checks the arguments and runs a tool. Throws a ToolError or a RestError, of which the model gets the text. */
export const runTool = ({ name, inputSchema }: ToolDefinition & { name: ToolName }, host: ToolHost, given: unknown) =>
  RUN[name](host, parseArguments(inputSchema, given) as never)
