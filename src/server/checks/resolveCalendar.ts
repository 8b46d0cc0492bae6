import { roleFor } from '../../model/access.ts'
import type { WorldData } from '../../model/worldData.ts'
import type { RequestContext } from '../requestContext.ts'

/** Finds the calendar of `calendarId` and the role of the caller on it. Throws 404 if there is none for the caller. */
export function resolveCalendar(context: RequestContext, world: WorldData): void {
  const { endpoint, params, caller } = context
  if (!endpoint?.role || !caller) return
  context.calendar = roleFor(world, String(params.calendarId), caller)
}
