import type { Event } from '../../schema/event.ts'
import { toReply, toToolEvent } from '../eventView.ts'
import type { ToolHost } from '../host.ts'
import { toPageSize } from '../pageToken.ts'

export type EventArguments = { calendarId?: string; eventId: string }

/** Returns the parameters of REST that name the event. */
export const toEventParams = ({ calendarId, eventId }: EventArguments) => ({
  calendarId: calendarId || 'primary',
  eventId,
})

export const getEvent = async (host: ToolHost, args: EventArguments): Promise<object> =>
  toToolEvent(await host.callRest<Event>('events.get', { ...toEventParams(args), timeZone: host.timeZone }))

type CalendarPage = {
  items: { id: string; summary?: string; summaryOverride?: string; description?: string; timeZone?: string }[]
  nextPageToken?: string
}

export async function listCalendars(
  host: ToolHost,
  { pageSize, pageToken }: { pageSize?: number; pageToken?: string },
): Promise<object> {
  const params = { maxResults: toPageSize(pageSize), pageToken: pageToken || undefined }
  const { items, nextPageToken } = await host.callRest<CalendarPage>('calendarList.list', params)
  const calendars = items.map(({ id, summary, summaryOverride, description, timeZone }) => ({
    ...{ id, summary: summaryOverride ?? summary, description, timeZone },
  }))
  return toReply({ calendars, nextPageToken })
}
