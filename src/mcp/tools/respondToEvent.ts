import { toShown } from '../../schema/values/shownText.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toToolEvent } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'
import { toSendUpdates } from './eventBody.ts'
import { patchByTool } from './reads.ts'

const ANSWERS = ['declined', 'tentative', 'accepted']

/** Sets the answer of the caller (behaviour 17.7). */
export async function runRespondToEvent(host: ToolHost, args: ToolArguments<'respond_to_event'>): Promise<object> {
  const { responseStatus, responseComment } = args
  if (!ANSWERS.includes(responseStatus))
    throw new ToolError(`Invalid value at 'responseStatus' (TYPE_STRING), ${toShown(responseStatus)}`)
  const answer = { responseStatus, ...(responseComment !== undefined && { comment: responseComment }) }
  const params = { sendUpdates: toSendUpdates(args.notificationLevel) }
  const event = await patchByTool(host, args, params, ({ attendees = [] }) => {
    const own = attendees.find(({ email, self }) => self || email.toLowerCase() === host.email)
    if (!own) throw new ToolError('The user is not an attendee of the event.')
    return { attendees: attendees.map((one) => (one === own ? { ...own, ...answer } : one)) }
  })
  return toToolEvent(event, host.timeZone)
}
