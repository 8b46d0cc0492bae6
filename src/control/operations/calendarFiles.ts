import { z } from 'zod'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { createFeedPaths, findLiveCalendar } from '../../seeds/ical/addresses.ts'
import { decodeText } from '../../seeds/ical/decode.ts'
import type { ICalendarOptions } from '../../seeds/ical/readICalendar.ts'
import { strictShape } from './inputs.ts'
import { defineOperation, InvalidInputError } from './operation.ts'

function withOptionErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const [, field, problem] = (error instanceof RangeError && /^(\w+): (.*)$/s.exec(error.message)) || []
    throw field && problem ? new InvalidInputError(field, problem) : error
  }
}

function requireLiveCalendar(data: WorldData, calendarId: string): StoredCalendar {
  const calendar = findLiveCalendar(data, calendarId)
  if (calendar) return calendar
  const problem = `there is no calendar ${calendarId} (a primary calendar has the address of its account)`
  throw new InvalidInputError('calendarId', problem)
}

export const calendarFiles = {
  ical: defineOperation({
    route: 'GET /ical',
    summary:
      'Returns the paths of a calendar as an iCalendar file: the public one, and the private one with its token.',
    input: strictShape({ calendarId: z.string() }),
    example: { calendarId: 'alice@example.com' },
    toInput: (calendarId: string) => ({ calendarId }),
    result: z.object({ public: z.string(), private: z.string() }),
    run: ({ world, name }, { calendarId }) => createFeedPaths(requireLiveCalendar(world.data, calendarId).id, name),
  }),
  importICalendar: defineOperation({
    route: 'POST /importICalendar',
    summary:
      'Adds the events of an iCalendar file to a calendar: of `owner`, the `calendar` `primary`, or one by its name or id. Without `calendar`, a new one. The `report` lists what was left out or changed. A body of the type `text/calendar` is the file itself; the other fields are then parameters of the query.',
    input: strictShape({
      text: z.string(),
      owner: z.string().optional(),
      calendar: z.string().optional(),
      name: z.string().optional(),
      timeZone: z.string().optional(),
      alarms: z.enum(['read', 'ignore']).optional(),
    }),
    example: {
      text: 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260706T090000Z\nSUMMARY:Imported\nEND:VEVENT\nEND:VCALENDAR\n',
    },
    toInput: (file: string | Uint8Array, options?: ICalendarOptions) => ({
      ...options,
      text: file instanceof Uint8Array ? decodeText(file) : file,
    }),
    rawBody: { mediaType: 'text/calendar', field: 'text' },
    result: z.object({
      calendarId: z.string(),
      added: z.number(),
      report: z.array(z.object({ uid: z.string().optional(), line: z.number(), reason: z.string() })),
    }),
    run: async ({ world }, { text, ...options }) => {
      const { readICalendar } = await import('../../seeds/ical/readICalendar.ts')
      const { data } = world
      const calendars = [...data.calendars.values()]
      const known = {
        ...(options.name !== undefined && { fileName: options.name }),
        accounts: [...data.accounts.values()].map(({ email }) => email),
        calendars: calendars.map(({ id, summary, dataOwner }) => ({ id, summary, owner: dataOwner })),
        eventExists: (calendarId: string, id: string) => data.events.get(calendarId)?.named(id) !== undefined,
      }
      const seed = withOptionErrors(() => readICalendar(text, options, known))
      data.store.transaction(() => world.seed(seed), { by: 'control' })
      const [calendar] = seed.calendars ?? []
      return {
        calendarId: calendar?.id ?? '',
        added: calendar?.events?.length ?? 0,
        report: [...seed.report],
      }
    },
  }),
}
