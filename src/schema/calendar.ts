import { z } from 'zod'
import { flag, int32, kind, listOf, namedSchema, neededBy, part, text, type WithoutNulls } from './jsonSchema.ts'

const conferenceProperties = namedSchema(
  'ConferenceProperties',
  z.object({ allowedConferenceSolutionTypes: listOf(z.string()) }),
)
const eventLabel = namedSchema('EventLabel', z.object({ id: text, name: text, backgroundColor: text }))
const labelProperties = namedSchema('LabelProperties', z.object({ eventLabels: listOf(eventLabel) }))

/** These fields are the same for all accounts that see the calendar. */
export const calendarBody = z.object({
  summary: neededBy(text, 'calendars.insert'),
  description: text,
  location: text,
  timeZone: text,
  conferenceProperties: conferenceProperties.nullish(),
  labelProperties: labelProperties.nullish(),
  workingHours: part({
    workingHoursEnabled: flag,
    availableTimes: listOf(z.object({ dayOfWeek: text, periodStart: int32, periodEnd: int32 })),
  }),
})

export const calendar = namedSchema(
  'Calendar',
  calendarBody.extend({
    kind: kind('calendar#calendar'),
    etag: text,
    id: text,
    dataOwner: text,
    autoAcceptInvitations: flag,
  }),
)

export type CalendarBody = z.output<typeof calendarBody>
type AlwaysSet = 'kind' | 'etag' | 'id' | 'summary' | 'timeZone'
type Stored = WithoutNulls<z.output<typeof calendar>>
export type Calendar = Omit<Stored, AlwaysSet> & Required<Pick<Stored, AlwaysSet>>
