import { listEvents } from '../../api/events/list.ts'
import { type EventQuery, LIST_PARAMS } from '../../api/events/source.ts'
import { type Access, requireCalendar } from '../../model/access.ts'
import { isOrganizerCopy } from '../../model/events/compose.ts'
import { isMaster, slotsIn } from '../../model/events/series.ts'
import { windowOf } from '../../model/events/times.ts'
import type { WorldData } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'
import { parseParams } from '../../schema/params.ts'

// Two behaviours of the service that look like defects (behaviour 4.3.1). Each adds events to the last page of a plain list.

type ListedPage = { readonly nextPageToken?: string; readonly items: readonly Event[] }
type ListRequest = {
  readonly data: WorldData
  readonly record: { readonly account?: string | undefined; readonly pathParams: Readonly<Record<string, string>> }
  readonly listQuery: URLSearchParams
}
type FindEvents = (access: Access, query: EventQuery) => Event[]

/** Adds the cancelled masters and exceptions of series whose copy a guest deleted. */
export const withDeletedCopies = (request: ListRequest, result: object): object =>
  addToLastPage(request, result as ListedPage, (access, query) => {
    const { records } = access.world.events.of(access.calendar.id)
    const isDeletedCopy = (event: Event | undefined): boolean =>
      event?.status === 'cancelled' && isMaster(event) && !isOrganizerCopy(event, access.calendar.id)
    return listAllPages(access, { ...query, showDeleted: true }).filter(({ id, recurringEventId }) =>
      isDeletedCopy(records.get(recurringEventId ?? id)),
    )
  })

/** Adds the masters of series that were trimmed and ended before `timeMin`. */
export const withTrimmedSeries = (request: ListRequest, result: object): object =>
  addToLastPage(request, result as ListedPage, (access, { timeMin, timeMax, ...query }) => {
    if (timeMin === undefined) return []
    const { world, calendar } = access
    const { history } = world.events.of(calendar.id).records
    const to = timeMax === undefined ? undefined : Date.parse(timeMax)
    const window = windowOf(Date.parse(timeMin), to, calendar.timeZone)
    const hadSlots = ({ id }: Event) =>
      history.versionsOf(id, 0).some(({ value }) => isMaster(value) && slotsIn(value, window, 1).length > 0)
    return listAllPages(access, query).filter((event) => isMaster(event) && hadSlots(event))
  })

function addToLastPage(
  { data, record: { account, pathParams }, listQuery }: ListRequest,
  page: ListedPage,
  find: FindEvents,
): ListedPage {
  const query = parseParams(LIST_PARAMS, { path: pathParams, query: listQuery })
  if (query.singleEvents || query.showDeleted || page.nextPageToken !== undefined) return page
  const caller = { email: account }
  const shown = new Set(page.items.map(({ id }) => id))
  const added = find({ world: data, caller, ...requireCalendar(data, query.calendarId, caller) }, query)
  return { ...page, items: [...page.items, ...added.filter(({ id }) => !shown.has(id))] }
}

function listAllPages(access: Access, query: EventQuery): Event[] {
  const items: Event[] = []
  for (let pageToken: string | undefined; ; ) {
    const page = listEvents(access, { ...query, maxResults: 2500, pageToken } as Parameters<typeof listEvents>[1])
    items.push(...(page.items as Event[]))
    pageToken = (page as ListedPage).nextPageToken
    if (pageToken === undefined) return items
  }
}
