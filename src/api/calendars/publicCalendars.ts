import { parsePublicCalendarId } from '../../model/collections.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { addressOf } from '../../schema/values/address.ts'
import { addRule } from '../acl/rules.ts'
import { addCalendar, type NewCalendar } from './calendars.ts'

/** Returns true for the id of a calendar of holidays or of contacts' birthdays (behaviour 15.15, 15.16). */
export const isPublicCalendar = (id: string): boolean => parsePublicCalendarId(id) !== undefined

function newSummary(id: string): string {
  const { of, type } = parsePublicCalendarId(id) ?? { of: '', type: '' }
  return type === 'contacts' ? 'Birthdays' : `Holidays (${of})`
}

/** Adds a public calendar without an owner. It is created when it is first requested. */
export function addPublicCalendar(world: WorldData, id: string, overrides: Partial<NewCalendar> = {}): StoredCalendar {
  const calendar = addCalendar(world, { summary: newSummary(id), ...overrides, id })
  addRule(world, id, { scope: { type: 'default' }, role: 'reader' })
  return calendar
}

/** Adds the calendar of holidays with this id, if there is none: anyone may read it, listed or not (behaviour 15.15). */
export function ensureHolidays(world: WorldData, calendarId: string): void {
  if (!calendarId.includes('#')) return
  const id = addressOf(calendarId)
  if (parsePublicCalendarId(id)?.type === 'holiday' && !world.calendars.get(id)) addPublicCalendar(world, id)
}

/** Returns true if a public calendar is as it was created: nobody has written it. */
export const isNewPublicCalendar = ({ id, summary }: StoredCalendar): boolean =>
  isPublicCalendar(id) && summary === newSummary(id)
