import type { Event } from '../../schema/event.ts'
import { toShown } from '../../schema/values/shownText.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { EVENT_TYPES, toReply, toToolEvent } from '../eventView.ts'
import { type RestParams, ToolError, type ToolHost } from '../host.ts'
import { INVALID_PAGE_TOKEN, parsePageToken, toPageSize, toPageToken } from '../pageToken.ts'
import { formatTime, parseTime, resolveTime, resolveZone, withoutMilliseconds } from '../times.ts'

type ListEventsArguments = ToolArguments<'list_events'>

/** The types that are listed if none is given (behaviour 17.5). */
const DEFAULT_TYPES = ['default', 'outOfOffice', 'focusTime', 'fromGmail']
const WEEK_MS = 7 * 86_400_000
/** The largest page of REST. */
const MAX_RESULTS = 2500
const ORDERS = ['default', 'startTime', 'startTimeDesc', 'lastModified']

type EventPage = {
  items: Event[]
  nextPageToken?: string
  accessRole?: string
  defaultReminders?: object[]
  description?: string
  summary?: string
  timeZone?: string
  updated?: string
}
/** The window and the order of the first page, and the page token of REST or the last event of a list in descending order. */
type Token = { from: string; to: string; order: string; rest: string }

/** Lists the events that overlap a window (behaviour 17.5). */
export async function runListEvents(host: ToolHost, args: ListEventsArguments): Promise<object> {
  const orderBy = args.orderBy || 'default'
  if (!ORDERS.includes(orderBy)) throw new ToolError(`Invalid value at 'orderBy' (TYPE_STRING), ${toShown(orderBy)}`)
  const zone = resolveZone(args.timeZone, host.timeZone)
  const token = args.pageToken
    ? parsePageToken<Token>(args.pageToken, TOKEN)
    : { ...toWindow(host, args, zone), order: orderBy, rest: '' }
  if (token.order !== orderBy) throw new ToolError(INVALID_PAGE_TOKEN)
  const expand = host.options.expandSeries !== false
  const params = {
    calendarId: args.calendarId || 'primary',
    timeMin: token.from,
    timeMax: token.to,
    q: args.fullText || undefined,
    eventTypes: toRestTypes(args),
    singleEvents: expand,
  }
  const size = toPageSize(args.pageSize)
  if (orderBy === 'startTimeDesc') return listDescending(host, params, { token, size, zone })
  const order = orderBy === 'lastModified' ? 'updated' : expand ? 'startTime' : undefined
  const rest = { ...params, orderBy: order, maxResults: size, pageToken: token.rest || undefined }
  const page = await host.callRest<EventPage>('events.list', rest)
  const next = page.nextPageToken && { ...token, rest: page.nextPageToken }
  return toListReply(page, withoutCancelled(page.items), next, zone)
}
const TOKEN = { from: 'string', order: 'string', to: 'string', rest: 'string' }

function toWindow({ now }: ToolHost, { startTime, endTime }: ListEventsArguments, zone: string) {
  const from = startTime ? resolveTime(parseTime(startTime, 'startTime'), zone) : now
  const to = endTime ? resolveTime(parseTime(endTime, 'endTime'), zone) : from + WEEK_MS
  return { from: formatTime(from, zone), to: formatTime(to, zone) }
}

/** `eventTypeFilter` is a list of any texts. */
function toRestTypes({ eventType, eventTypeFilter }: ListEventsArguments): readonly string[] {
  const names = eventType?.length ? eventType : (eventTypeFilter ?? [])
  const types = new Map<string, string>([...EVENT_TYPES, ['EVENT_TYPE_UNSPECIFIED', 'default']])
  const wrong = names.find((name) => !types.has(name))
  if (wrong !== undefined) throw new ToolError(`Invalid value at 'eventTypeFilter' (TYPE_ENUM), ${toShown(wrong)}`)
  return names.length === 0 ? DEFAULT_TYPES : names.map((name) => types.get(name) ?? '')
}

/** Leaves out cancelled instances, which REST lists beside a series. */
const withoutCancelled = (events: readonly Event[]) => events.filter(({ status }) => status !== 'cancelled')

export async function listAll(host: ToolHost, params: RestParams): Promise<{ page: EventPage; events: Event[] }> {
  const events: Event[] = []
  for (let pageToken: string | undefined; ; ) {
    const page = await host.callRest<EventPage>('events.list', { ...params, maxResults: MAX_RESULTS, pageToken })
    events.push(...withoutCancelled(page.items))
    pageToken = page.nextPageToken
    if (pageToken === undefined) return { page, events }
  }
}

/** Lists the latest start first, which REST cannot: reads the whole window, and continues after the event of the token. */
async function listDescending(
  host: ToolHost,
  params: RestParams,
  { token, size, zone }: { token: Token; size: number; zone: string },
): Promise<object> {
  const { page, events } = await listAll(host, params)
  const keyed = events.map((event) => ({ event, key: toSortKey(event) })).sort((a, b) => (a.key < b.key ? 1 : -1))
  const rest = keyed.filter(({ key }) => token.rest === '' || key < token.rest)
  const shown = rest.slice(0, size)
  const next = rest.length > size ? { ...token, rest: shown.at(-1)?.key ?? '' } : undefined
  return toListReply(
    page,
    shown.map(({ event }) => event),
    next,
    zone,
  )
}

const toSortKey = ({ start, id }: Event): string =>
  `${new Date(start.dateTime ?? `${start.date}T00:00:00Z`).toISOString()} ${id}`

function toListReply(page: EventPage, events: Event[], next: Token | '' | undefined, zone: string): object {
  const { accessRole, defaultReminders, description, summary, timeZone, updated } = page
  return toReply({
    ...{ accessRole, defaultReminders, description, summary, timeZone },
    updated: updated && withoutMilliseconds(updated),
    events: events.map((event) => toToolEvent(event, zone)),
    nextPageToken: next ? toPageToken(next) : undefined,
  })
}
