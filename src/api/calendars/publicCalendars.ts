import { parsePublicCalendarId } from '../../model/collections.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { addRule } from '../acl/rules.ts'
import { addCalendar, type NewCalendar } from './calendars.ts'

/** Returns true for the id of a calendar of holidays or of contacts' birthdays (behaviour 15.15, 15.16). */
export const isPublicCalendar = (id: string): boolean => parsePublicCalendarId(id) !== undefined

/** Adds a public calendar without an owner. It is created when it is first requested. */
export function addPublicCalendar(world: WorldData, id: string, overrides: Partial<NewCalendar> = {}): StoredCalendar {
  const { of, type } = parsePublicCalendarId(id) ?? { of: '', type: '' }
  const summary = type === 'contacts' ? 'Birthdays' : `Holidays (${of})`
  const calendar = addCalendar(world, { summary, ...overrides, id })
  addRule(world, id, { scope: { type: 'default' }, role: 'reader' })
  return calendar
}
