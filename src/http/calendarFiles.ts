import { feedAt } from '../seeds/ical/addresses.ts'
import type { World } from '../world/world.ts'
import { notFoundPage } from './errors.ts'

/** A calendar as a file of iCalendar, to whoever has its address: no token is asked for (behaviour 16.1). */
export function answerFile(world: World, calendarId: string, sight: string): Response {
  const text = feedAt(world, calendarId, sight)
  if (text === undefined) return notFoundPage()
  return new Response(text, {
    headers: {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      Date: new Date(world.clock.now()).toUTCString(),
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
