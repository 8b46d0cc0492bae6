import { z } from 'zod'
import { int32, list, text } from './json.ts'

export const freeBusyRequest = z.object({
  timeMin: text(),
  timeMax: text(),
  timeZone: text(),
  groupExpansionMax: int32(),
  calendarExpansionMax: int32(),
  items: list(z.object({ id: text() })),
})

export type FreeBusyRequest = z.output<typeof freeBusyRequest>
