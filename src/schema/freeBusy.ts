import { z } from 'zod'
import { byDefault, byId, instant, int32, kind, list, namedSchema, text } from './jsonSchema.ts'

const freeBusyRequestItem = namedSchema('FreeBusyRequestItem', z.object({ id: text }))

export const freeBusyRequest = namedSchema(
  'FreeBusyRequest',
  z.object({
    timeMin: instant,
    timeMax: instant,
    timeZone: byDefault(text, 'UTC'),
    groupExpansionMax: int32,
    calendarExpansionMax: int32,
    items: list(freeBusyRequestItem),
  }),
)

const timePeriod = namedSchema('TimePeriod', z.object({ start: instant, end: instant }))
const error = namedSchema('Error', z.object({ domain: text, reason: text }))
const freeBusyCalendar = namedSchema('FreeBusyCalendar', z.object({ errors: list(error), busy: list(timePeriod) }))
const freeBusyGroup = namedSchema('FreeBusyGroup', z.object({ errors: list(error), calendars: list(z.string()) }))

/** By id: the busy times of calendars and the calendars of groups, or the errors of an id. */
export const freeBusyResponse = namedSchema(
  'FreeBusyResponse',
  z.object({
    kind: kind('calendar#freeBusy'),
    timeMin: instant,
    timeMax: instant,
    groups: byId(freeBusyGroup),
    calendars: byId(freeBusyCalendar),
  }),
)

export type FreeBusyRequest = z.output<typeof freeBusyRequest>
