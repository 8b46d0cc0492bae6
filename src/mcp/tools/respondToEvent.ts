import type { Event } from '../../schema/event.ts'
import { toToolEvent } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'
import { toSendUpdates } from './eventBody.ts'
import { type EventArguments, toEventParams } from './reads.ts'

const ANSWERS = ['declined', 'tentative', 'accepted']

/** Sets the answer of the caller by `events.get` and `events.patch` (behaviour 17.7). */
export async function respondToEvent(
  host: ToolHost,
  args: EventArguments & { responseStatus: string; responseComment?: string; notificationLevel?: string },
): Promise<object> {
  const { responseStatus, responseComment } = args
  if (!ANSWERS.includes(responseStatus))
    throw new ToolError(`Invalid value at 'responseStatus' (TYPE_STRING), ${JSON.stringify(responseStatus)}`)
  const event = await host.callRest<Event>('events.get', toEventParams(args))
  const own = event.attendees?.find(({ email, self }) => self || email.toLowerCase() === host.email)
  if (!own) throw new ToolError('The user is not an attendee of the event.')
  const answer = { ...own, responseStatus, ...(responseComment !== undefined && { comment: responseComment }) }
  const attendees = event.attendees?.map((one) => (one === own ? answer : one))
  const params = { ...toEventParams(args), sendUpdates: toSendUpdates(args.notificationLevel) }
  return toToolEvent(await host.callRest<Event>('events.patch', params, { attendees }))
}
