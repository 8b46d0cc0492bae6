import { z } from 'zod'
import { feedAddresses, findCalendar } from '../seeds/ical/addresses.ts'
import { Misfit, operation } from './operation.ts'

/** Calendars as files of iCalendar. */
export const calendarFiles = [
  operation({
    id: 'control.ical',
    verb: 'GET',
    path: '/_control/ical',
    summary:
      'Tells the addresses of a calendar as a file of iCalendar: the public one, and the private one with its token.',
    input: z.object({ calendarId: z.string() }),
    example: { calendarId: 'alice@example.com' },
    result: z.object({ public: z.string(), private: z.string() }),
    inProcess: { ical: (calendarId: string) => ({ calendarId }) },
    run: ({ realm, name }, { calendarId }) => {
      const calendar = findCalendar(realm.world, calendarId)
      if (!calendar) throw new Misfit('calendarId', `there is no calendar ${calendarId}`)
      return feedAddresses(calendar.id, name)
    },
  }),
] as const
