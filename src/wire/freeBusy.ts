import { z } from 'zod'
import { byDefault, byId, instant, int32, kind, list, named, text } from './json.ts'

const freeBusyRequestItem = named('FreeBusyRequestItem', z.object({ id: text() }))

export const freeBusyRequest = named(
  'FreeBusyRequest',
  z.object({
    timeMin: instant(),
    timeMax: instant(),
    timeZone: byDefault(text(), 'UTC'),
    groupExpansionMax: int32(),
    calendarExpansionMax: int32(),
    items: list(freeBusyRequestItem),
  }),
)

const timePeriod = named('TimePeriod', z.object({ start: instant(), end: instant() }))
const error = named('Error', z.object({ domain: text(), reason: text() }))
const freeBusyCalendar = named('FreeBusyCalendar', z.object({ errors: list(error), busy: list(timePeriod) }))
const freeBusyGroup = named('FreeBusyGroup', z.object({ errors: list(error), calendars: list(z.string()) }))

/** When the calendars asked for are taken, and who the groups asked for consist of. */
export const freeBusyResponse = named(
  'FreeBusyResponse',
  z.object({
    kind: kind('calendar#freeBusy'),
    timeMin: instant(),
    timeMax: instant(),
    groups: byId(freeBusyGroup),
    calendars: byId(freeBusyCalendar),
  }),
)

export type FreeBusyRequest = z.output<typeof freeBusyRequest>
