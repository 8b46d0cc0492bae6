import { z } from 'zod'
import { byId, instant, kind, named, text } from './json.ts'

const colorDefinition = named('ColorDefinition', z.object({ background: text(), foreground: text() }))

/** The colours there are, of calendars and of events, by their ids. */
export const colors = named(
  'Colors',
  z.object({
    kind: kind('calendar#colors'),
    updated: instant(),
    calendar: byId(colorDefinition),
    event: byId(colorDefinition),
  }),
)
