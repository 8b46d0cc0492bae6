import type { StoredCalendar, World } from '../../world/world.ts'
import { addRule } from '../acl/rules.ts'
import { addCalendar, type NewCalendar } from './calendars.ts'

const PUBLIC = /(?:^|^(.+))#(holiday|contacts)@group\.v\.calendar\.google\.com$/

/** Whether an id is that of holidays, or of contacts' birthdays (behaviour 15.15, 15.16). */
export const isPublicCalendar = (id: string): boolean => PUBLIC.test(id)

/** A calendar that nobody owns and everybody may read: it begins when it is first asked for. */
export function addPublicCalendar(world: World, id: string, said: Partial<NewCalendar> = {}): StoredCalendar {
  const [, of = '', what] = PUBLIC.exec(id) ?? []
  const summary = what === 'contacts' ? 'Birthdays' : `Holidays (${of})`
  const calendar = addCalendar(world, { summary, ...said, id })
  addRule(world, id, { scope: { type: 'default' }, role: 'reader' })
  return calendar
}
