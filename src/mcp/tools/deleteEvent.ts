import type { Event } from '../../schema/event.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toToolEvent } from '../eventView.ts'
import type { ToolHost } from '../host.ts'
import { toSendUpdates } from './eventBody.ts'
import { toEventParams } from './reads.ts'

/** Deletes an event by `events.delete`, and returns it as cancelled (behaviour 17.9). */
export async function runDeleteEvent(host: ToolHost, args: ToolArguments<'delete_event'>): Promise<object> {
  const params = toEventParams(args)
  const event = await host.callRest<Event>('events.get', params)
  await host.callRest('events.delete', { ...params, sendUpdates: toSendUpdates(args.notificationLevel) })
  return toToolEvent({ ...event, status: 'cancelled' }, host.timeZone)
}
