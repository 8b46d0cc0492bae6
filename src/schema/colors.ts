import { z } from 'zod'
import { byId, instant, kind, namedSchema, text } from './jsonSchema.ts'

const colorDefinition = namedSchema('ColorDefinition', z.object({ background: text, foreground: text }))

/** The response of colors.get: the colors of calendars and those of events, by color id. */
export const colors = namedSchema(
  'Colors',
  z.object({
    kind: kind('calendar#colors'),
    updated: instant,
    calendar: byId(colorDefinition),
    event: byId(colorDefinition),
  }),
)
