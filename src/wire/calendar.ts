import { z } from 'zod'
import { flag, int32, kind, list, named, neededBy, part, type Solid, text } from './json.ts'

const conferenceProperties = named(
  'ConferenceProperties',
  z.object({ allowedConferenceSolutionTypes: list(z.string()) }),
)
const eventLabel = named('EventLabel', z.object({ id: text(), name: text(), backgroundColor: text() }))
const labelProperties = named('LabelProperties', z.object({ eventLabels: list(eventLabel) }))

/** A calendar, the same for everybody who sees it. */
export const calendarBody = z.object({
  summary: neededBy(text(), 'calendars.insert'),
  description: text(),
  location: text(),
  timeZone: text(),
  conferenceProperties: conferenceProperties.nullish(),
  labelProperties: labelProperties.nullish(),
  workingHours: part({
    workingHoursEnabled: flag(),
    availableTimes: list(z.object({ dayOfWeek: text(), periodStart: int32(), periodEnd: int32() })),
  }),
})

export const calendar = named(
  'Calendar',
  calendarBody.extend({
    kind: kind('calendar#calendar'),
    etag: text(),
    id: text(),
    dataOwner: text(),
    autoAcceptInvitations: flag(),
  }),
)

export type CalendarBody = z.output<typeof calendarBody>
type Written = 'kind' | 'etag' | 'id' | 'summary' | 'timeZone'
type Parsed = Solid<z.output<typeof calendar>>
export type Calendar = Omit<Parsed, Written> & Required<Pick<Parsed, Written>>
