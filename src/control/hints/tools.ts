import type { ToolRun } from '../../mcp/tools/index.ts'
import type { Hint } from '../journal/recordedCall.ts'
import { createHint } from './table.ts'

const NOTIFYING = ['create_event', 'update_event', 'delete_event', 'respond_to_event']
const CHANGING = ['update_event', 'delete_event']

/** Returns the hints on a call of an MCP tool that may do more or less than its caller thinks. */
export function listToolHints(tool: string, { result, args, otherForms }: ToolRun): readonly Hint[] {
  const hints: Hint[] = []
  const event: { readonly recurrence?: unknown; readonly attendees?: unknown } = result
  const hasGuests = Boolean(event.attendees ?? args.removedAttendeeEmails)
  if (NOTIFYING.includes(tool) && hasGuests && !args.notificationLevel)
    hints.push(createHint('FC501', `${tool} has no notificationLevel`, 'Set it: NONE, EXTERNAL_ONLY or ALL'))
  if (tool === 'list_events' && !args.startTime && !args.endTime && !args.pageToken)
    hints.push(createHint('FC502', 'list_events has no startTime and no endTime', 'Set both'))
  if (CHANGING.includes(tool) && event.recurrence !== undefined)
    hints.push(createHint('FC503', `${tool} changes a whole series`, 'Name an instance to change one of them'))
  const [place] = otherForms
  if (place !== undefined)
    hints.push(createHint('FC504', `${place} is not written as the schema of ${tool} has it`, 'Write it as there'))
  return hints
}
