import type { Context } from 'hono'
import { ensureHolidays } from '../../api/calendars/publicCalendars.ts'
import { notFoundPage } from '../../http/errors.ts'
import { findFeed } from '../../seeds/ical/writing/calendar.ts'
import { enterWorld, type RequestContext } from '../requestContext.ts'

/** A wrong address gets a page (404). The address is the only credential (behaviour 16.1). */
export function answerCalendarFile(context: RequestContext, c: Pick<Context, 'req'>): Response {
  const { calendarId = '', visibility = '' } = c.req.param() as Record<string, string>
  const { data } = enterWorld(context)
  data.store.transaction(() => ensureHolidays(data, calendarId))
  const chunks = findFeed(data, calendarId, visibility)
  if (!chunks) return notFoundPage()
  return new Response(toBody(chunks), {
    headers: {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      Date: new Date(context.now).toUTCString(),
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

const MAX_BUFFERED_LENGTH = 1_000_000

/** Returns a short file as text. A longer one is a stream, so that no second copy of it is in memory. */
function toBody(chunks: Iterable<string>): string | ReadableStream<Uint8Array> {
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
