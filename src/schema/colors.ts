import { z } from 'zod'
import { byId, instant, kind, namedSchema, text } from './jsonSchema.ts'

const colorDefinition = namedSchema('ColorDefinition', z.object({ background: text, foreground: text }))

export const colors = namedSchema(
  'Colors',
  z.object({
    kind: kind('calendar#colors'),
    updated: instant,
    calendar: byId(colorDefinition),
    event: byId(colorDefinition),
  }),
)
