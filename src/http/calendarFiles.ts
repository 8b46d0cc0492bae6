import { feedAt } from '../seeds/ical/addresses.ts'
import type { World } from '../world/world.ts'
import { notFoundPage } from './errors.ts'

/** A calendar as a file of iCalendar, to whoever has its address: no token is asked for (behaviour 16.1). */
export function answerFile(world: World, calendarId: string, sight: string): Response {
  const chunks = feedAt(world, calendarId, sight)
  if (!chunks) return notFoundPage()
  return new Response(bodyOf(chunks), {
    headers: {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      Date: new Date(world.clock.now()).toUTCString(),
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** Files up to this many characters are sent with their length. */
const MAX_BUFFERED_LENGTH = 1_000_000

/** Returns a short file as text. A longer one is a stream, so that no second copy of it is in memory. */
function bodyOf(chunks: Iterable<string>): string | ReadableStream<Uint8Array> {
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
