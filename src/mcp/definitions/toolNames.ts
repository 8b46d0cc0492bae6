/** The tools in the order of `tools/list` (behaviour 17.2). */
export const TOOL_NAMES = [
  'list_events',
  'get_event',
  'list_calendars',
  'suggest_time',
  'create_event',
  'update_event',
  'delete_event',
  'respond_to_event',
  'search_events',
] as const
export type ToolName = (typeof TOOL_NAMES)[number]

export const isToolName = (name: string): name is ToolName => TOOL_NAMES.some((one) => one === name)
