import type { Event } from '../../schema/event.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toReply, toToolEvent } from '../eventView.ts'
import { RestError, type RestParams, type ToolHost } from '../host.ts'
import { toPageSize } from '../pageToken.ts'

export type EventArguments = ToolArguments<'get_event'>

export const toEventParams = ({ calendarId, eventId }: EventArguments) => ({
  calendarId: calendarId || 'primary',
  eventId,
})

const PRECONDITION_FAILED = 412
const MAX_ATTEMPTS = 5

/**
 * Changes an event by `events.get` and `events.patch`. `toBody` makes the body from the event. If another request changes
 * the event between the two, both are repeated, so that no change is lost. A deleted event is not found (behaviour 17.7.5).
 */
export async function patchByTool(
  host: ToolHost,
  args: EventArguments,
  params: RestParams,
  toBody: (event: Event) => object,
): Promise<Event> {
  for (let attempt = 1; ; attempt++) {
    const event = await host.callRest<Event>('events.get', toEventParams(args))
    if (event.status === 'cancelled') throw new RestError(404, 'notFound', 'Not Found')
    const all = { ...toEventParams(args), ...params, ifMatch: event.etag }
    try {
      return await host.callRest<Event>('events.patch', all, toBody(event))
    } catch (error) {
      const isOutdated = error instanceof RestError && error.status === PRECONDITION_FAILED
      if (!isOutdated || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

export const runGetEvent = async (host: ToolHost, args: EventArguments): Promise<object> =>
  toToolEvent(await host.callRest<Event>('events.get', toEventParams(args)), host.timeZone)

type CalendarPage = {
  items: { id: string; summary?: string; summaryOverride?: string; description?: string; timeZone?: string }[]
  nextPageToken?: string
}

export async function runListCalendars(
  host: ToolHost,
  { pageSize, pageToken }: ToolArguments<'list_calendars'>,
): Promise<object> {
  const params = { maxResults: toPageSize(pageSize), pageToken: pageToken || undefined }
  const { items, nextPageToken } = await host.callRest<CalendarPage>('calendarList.list', params)
  const calendars = items.map(({ id, summary, summaryOverride, description, timeZone }) => ({
    ...{ id, summary: summaryOverride ?? summary, description, timeZone },
  }))
  return toReply({ calendars, nextPageToken })
}
