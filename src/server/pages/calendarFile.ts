import type { Context } from 'hono'
import { ensureHolidays } from '../../api/calendars/publicCalendars.ts'
import { notFoundPage } from '../../http/errors.ts'
import { atLeast, requireCalendar, requireRole } from '../../model/access.ts'
import { authenticateCaller } from '../../oauth/credentials.ts'
import { findFeed, writeCalendar } from '../../seeds/ical/writing/calendar.ts'
import { enterWorld, type RequestContext } from '../requestContext.ts'

/** A wrong address gets a page (404). The address is the only credential (behaviour 16.1). */
export function answerCalendarFile(context: RequestContext, c: Pick<Context, 'req'>): Response {
  const { calendarId = '', visibility = '' } = c.req.param() as Record<string, string>
  const { data } = enterWorld(context)
  data.store.transaction(() => ensureHolidays(data, calendarId))
  const chunks = findFeed(data, calendarId, visibility)
  return chunks ? toFileResponse(context, chunks) : notFoundPage()
}

/**
 * The file of a calendar that the bearer token may read. Throws 401 without a valid token, and 404 or 403 without the role
 * `reader`. The other requests of CalDAV are not served.
 */
export function answerOwnCalendarFile(context: RequestContext, c: Pick<Context, 'req'>): Response {
  const { data } = enterWorld(context)
  const { calendarId = '' } = c.req.param() as Record<string, string>
  const chunks = data.store.transaction(() => {
    const { caller } = authenticateCaller(data, context.token, context.registry.options.auth)
    const { calendar, role } = requireCalendar(data, calendarId, caller)
    requireRole(role, 'reader')
    return writeCalendar(data, calendar, atLeast(role, 'writer') ? 'all' : 'public')
  })
  return toFileResponse(context, chunks)
}

const toFileResponse = ({ now }: RequestContext, chunks: Iterable<string>): Response =>
  new Response(toFileBody(chunks), {
    headers: {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      Date: new Date(now).toUTCString(),
      'X-Content-Type-Options': 'nosniff',
    },
  })

const MAX_BUFFERED_LENGTH = 1_000_000

/** Returns a short file as text. A longer one is a stream, so that no second copy of it is in memory. */
function toFileBody(chunks: Iterable<string>): string | ReadableStream<Uint8Array> {
  const rest = chunks[Symbol.iterator]()
  const first: string[] = []
  for (let length = 0; length <= MAX_BUFFERED_LENGTH; ) {
    const { value, done } = rest.next()
    if (done) return first.join('')
    first.push(value)
    length += value.length
  }
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const next = first.shift() ?? rest.next().value
      if (next === undefined) controller.close()
      else controller.enqueue(encoder.encode(next))
    },
  })
}
