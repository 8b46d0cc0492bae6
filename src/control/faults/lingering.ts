import { listEvents } from '../../api/events/list.ts'
import { type Access, requireCalendar } from '../../model/access.ts'
import { isOrganizerCopy } from '../../model/events/compose.ts'
import { isMaster, slotsIn } from '../../model/events/series.ts'
import { windowOf } from '../../model/events/times.ts'
import type { WorldData } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'

// Two behaviours of the service that look like defects (behaviour 4.3.1). Each adds events to the last page of a plain list.

type ListedPage = { readonly nextPageToken?: string; readonly items: readonly Event[] }
type ListRequest = {
  readonly data: WorldData
  readonly record: { readonly account?: string | undefined; readonly pathParams: Readonly<Record<string, string>> }
  readonly listQuery: URLSearchParams
}

/** Adds the cancelled masters and exceptions of series whose copy a guest deleted. */
export function withDeletedCopies(request: ListRequest, result: object): object {
  return addToLastPage(request, result as ListedPage, (access) => {
    const { records } = access.world.events.of(access.calendar.id)
    const isDeletedCopy = (event: Event | undefined): boolean =>
      event?.status === 'cancelled' && isMaster(event) && !isOrganizerCopy(event, access.calendar.id)
    return listAllPages(access, { ...Object.fromEntries(request.listQuery), showDeleted: true }).filter(
      ({ id, recurringEventId }) => isDeletedCopy(records.get(recurringEventId ?? id)),
    )
  })
}

/** Adds the masters of series that were trimmed and ended before `timeMin`. */
export function withTrimmedSeries(request: ListRequest, result: object): object {
  const { timeMin, timeMax, ...others } = Object.fromEntries(request.listQuery)
  if (timeMin === undefined) return result
  return addToLastPage(request, result as ListedPage, ({ world, calendar, ...access }) => {
    const { records } = world.events.of(calendar.id)
    const window = windowOf(
      Date.parse(timeMin),
      timeMax === undefined ? undefined : Date.parse(timeMax),
      calendar.timeZone,
    )
    const reached = (id: string) =>
      [...records.history.versionsOf(id, 0)].some(
        ({ value }) => isMaster(value) && slotsIn(value, window, 1).length > 0,
      )
    return listAllPages({ world, calendar, ...access }, others).filter((event) => isMaster(event) && reached(event.id))
  })
}

function addToLastPage(
  { data, record: { account, pathParams }, listQuery }: ListRequest,
  page: ListedPage,
  find: (access: Access) => Event[],
): ListedPage {
  const isPlain =
    !['singleEvents', 'showDeleted'].some((flag) => listQuery.get(flag) === 'true') && !listQuery.has('syncToken')
  if (!isPlain || page.nextPageToken !== undefined) return page
  const caller = { email: account }
  const shown = new Set(page.items.map(({ id }) => id))
  const added = find({ world: data, caller, ...requireCalendar(data, String(pathParams.calendarId), caller) })
  return { ...page, items: [...page.items, ...added.filter(({ id }) => !shown.has(id))] }
}

/** All pages of a list, with the parameters of the request that select events. */
function listAllPages(
  access: Access,
  { maxResults: _, pageToken: __, updatedMin: ___, ...params }: object & Record<string, unknown>,
): Event[] {
  const items: Event[] = []
  for (let pageToken: string | undefined; ; ) {
    const page = listEvents(access, { ...params, maxResults: 2500, ...(pageToken && { pageToken }) } as never)
    items.push(...(page.items as Event[]))
    pageToken = (page as ListedPage).nextPageToken
    if (pageToken === undefined) return items
  }
}
