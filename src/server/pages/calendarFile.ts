import type { Context } from 'hono'
import { fileAt } from '../../ical/addresses.ts'
import { enterWorld } from '../checks/enterWorld.ts'
import { notFoundPage } from '../errors.ts'
import type { RequestContext } from '../requestContext.ts'

/** Answers with a calendar as an iCalendar file. The address is the only credential (behaviour 16.1). */
export function answerCalendarFile(context: RequestContext, c: Pick<Context, 'req'>): Response {
  const { calendarId = '', visibility = '' } = c.req.param() as Record<string, string>
  enterWorld(context)
  const text = fileAt(context.world, calendarId, visibility)
  if (text === undefined) return notFoundPage()
  return new Response(text, {
    headers: {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      Date: new Date(context.now).toUTCString(),
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
