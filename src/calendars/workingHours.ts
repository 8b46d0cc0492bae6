import type { CalendarBody } from '../wire/calendar.ts'
import type { Solid } from '../wire/json.ts'
import { refuse } from '../wire/refusals.ts'
import type { World } from '../world/world.ts'

type WorkingHours = NonNullable<Solid<CalendarBody>['workingHours']>

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MINUTES = 24 * 60

/** When somebody works: the primary calendar of a Workspace account alone says it (behaviour 15.19). */
export function readWorkingHours(world: World, calendarId: string, given: WorkingHours): WorkingHours {
  const invalid = (problem: string) => refuse('invalidValue', { field: 'workingHours', problem })
  if (world.accounts.get(calendarId)?.kind !== 'workspace')
    invalid('only the primary calendar of a Workspace account has any')
  const availableTimes = given.availableTimes?.map(({ dayOfWeek = '', periodStart = 0, periodEnd = MINUTES }) => {
    if (!DAYS.includes(dayOfWeek.toLowerCase())) invalid(`no day ${dayOfWeek}`)
    if (periodStart < 0 || periodEnd > MINUTES || periodEnd <= periodStart)
      invalid(`no period from ${periodStart} to ${periodEnd}`)
    return { dayOfWeek, periodStart, periodEnd }
  })
  return { workingHoursEnabled: given.workingHoursEnabled ?? false, ...(availableTimes && { availableTimes }) }
}
