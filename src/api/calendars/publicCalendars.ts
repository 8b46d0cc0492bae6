import { saveEvent } from '../../effects/write/commit.ts'
import { newOrigin } from '../../effects/write/compose.ts'
import { parsePublicCalendarId } from '../../model/collections.ts'
import { composeEvent } from '../../model/events/compose.ts'
import { eventInOrder } from '../../model/events/fields.ts'
import { digest } from '../../model/ids.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { formatDate } from '../../recurrence/format.ts'
import { addressOf } from '../../schema/values/address.ts'
import { addRule } from '../acl/rules.ts'
import { addCalendar, type NewCalendar } from './calendars.ts'
import { findCountryName, type Holiday, hasHolidays, listHolidays } from './holidays.ts'

/** Calendars of holidays and of contacts' birthdays (behaviour 15.15, 15.16). */
export const isPublicCalendar = (id: string): boolean => parsePublicCalendarId(id) !== undefined

function newSummary(id: string): string {
  const { of, type } = parsePublicCalendarId(id) ?? { of: '', type: '' }
  if (type === 'contacts') return 'Birthdays'
  const country = findCountryName(of)
  return country ? `Holidays in ${country}` : `Holidays (${of})`
}

export function addPublicCalendar(world: WorldData, id: string, overrides: Partial<NewCalendar> = {}): StoredCalendar {
  const calendar = addCalendar(world, { summary: newSummary(id), ...overrides, id })
  addRule(world, id, { scope: { type: 'default' }, role: 'reader' })
  return calendar
}

/**
 * Creates the public calendar with this id, if there is none and its region exists. A calendar of holidays gets those of its
 * country, from the year before the world's clock to the year after it (behaviour 15.15.1).
 */
export function ensurePublicCalendar(world: WorldData, id: string): void {
  const { of, type } = parsePublicCalendarId(id) ?? {}
  if (of === undefined || world.calendars.get(id) || (type === 'holiday' && !hasHolidays(of))) return
  const calendar = addPublicCalendar(world, id)
  if (type !== 'holiday') return
  const year = new Date(world.clock.now()).getUTCFullYear()
  for (const holiday of [year - 1, year, year + 1].flatMap((one) => listHolidays(of, one)))
    addHoliday(world, calendar, holiday)
}

function addHoliday(world: WorldData, calendar: StoredCalendar, { date, summary }: Holiday): void {
  const id = `${date.replaceAll('-', '')}_${digestInBase32Hex(`${calendar.id} ${date}`)}`
  const access = { world, calendar, caller: { email: calendar.id }, role: 'owner' } as const
  const draft = {
    summary,
    description: 'Public holiday',
    transparency: 'transparent' as const,
    visibility: 'public' as const,
    start: { date },
    end: { date: formatDate(Date.parse(date) + DAY_MS) },
  }
  const origin = newOrigin(access, { id, iCalUID: `${id}@google.com` })
  const event = composeEvent(calendar, draft, { ...origin, creator: origin.organizer })
  saveEvent(world, calendar.id, eventInOrder({ ...event, sequence: 0 }))
}

const digestInBase32Hex = (text: string): string =>
  digest(text, 'sha256')
    .toLowerCase()
    .replace(/[^0-9a-v]/g, '')
    .slice(0, 26)

/** Creates the calendar of holidays with this id, if there is none: anyone may read it, listed or not (behaviour 15.15). */
export function ensureHolidays(world: WorldData, calendarId: string): void {
  const id = addressOf(calendarId)
  if (parsePublicCalendarId(id)?.type === 'holiday') ensurePublicCalendar(world, id)
}

/** True if nobody has written it. */
export const isNewPublicCalendar = ({ id, summary }: StoredCalendar): boolean =>
  isPublicCalendar(id) && summary === newSummary(id)
