import { z } from 'zod'
import { flag, list, part, type Solid, text } from './json.ts'

/** A calendar, the same for everybody who sees it. */
export const calendarBody = z.object({
  summary: text(),
  description: text(),
  location: text(),
  timeZone: text(),
  conferenceProperties: part({ allowedConferenceSolutionTypes: list(z.string()) }),
  labelProperties: part({
    eventLabels: list(z.object({ id: text(), name: text(), backgroundColor: text() })),
  }),
  autoAcceptInvitations: flag(),
})

export const calendar = calendarBody.extend({ kind: text(), etag: text(), id: text(), dataOwner: text() })

export type CalendarBody = z.output<typeof calendarBody>
type Written = 'kind' | 'etag' | 'id' | 'summary' | 'timeZone'
type Parsed = Solid<z.output<typeof calendar>>
export type Calendar = Omit<Parsed, Written> & Required<Pick<Parsed, Written>>
