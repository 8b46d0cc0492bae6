import { z } from 'zod'
import { flag, kind, list, named, neededBy, type Solid, text } from './json.ts'

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
  autoAcceptInvitations: flag(),
})

export const calendar = named(
  'Calendar',
  calendarBody.extend({ kind: kind('calendar#calendar'), etag: text(), id: text(), dataOwner: text() }),
)

export type CalendarBody = z.output<typeof calendarBody>
type Written = 'kind' | 'etag' | 'id' | 'summary' | 'timeZone'
type Parsed = Solid<z.output<typeof calendar>>
export type Calendar = Omit<Parsed, Written> & Required<Pick<Parsed, Written>>
