import { z } from 'zod'
import { calendar } from './calendar.ts'
import { channel } from './channel.ts'
import { colors } from './colors.ts'
import { wholeAttendee } from './event.ts'
import { freeBusyRequest, freeBusyResponse } from './freeBusy.ts'
import { discovery, type Schema } from './json.ts'
import { acl, calendarList, events, settings } from './lists.ts'

/** What methods take and give. All other schemas are parts of these; the attendee, whom nobody reads whole, is not. */
const ROOTS = z.object({
  acl,
  calendar,
  calendarList,
  channel,
  colors,
  events,
  freeBusyRequest,
  freeBusyResponse,
  settings,
  wholeAttendee,
})

const { $defs } = z.toJSONSchema(ROOTS, {
  io: 'input',
  metadata: discovery,
  // Of a field that parsing transforms zod leaves out the default, taking it for the result's: the registry says it again.
  override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, discovery.get(zodSchema)),
})

/** What zod makes of a schema: JSON Schema, with what the registry says among it. */
type Told = Omit<Schema, 'type' | 'items' | 'properties' | 'additionalProperties'> & {
  type?: Schema['type'] | [Schema['type'], 'null']
  anyOf?: Told[]
  items?: Told
  properties?: Record<string, Told>
  additionalProperties?: Told
}

/** The same without the rules of parsing, for which discovery has no words: what may be null, and what text may say. */
function plain({ anyOf: [only] = [], ...said }: Told): Schema {
  const { $ref, type = 'any', format, default: value, annotations, ...inside } = { ...only, ...said }
  const { items, properties, additionalProperties } = inside
  if ($ref) return { $ref: $ref.replace('#/$defs/', ''), ...(annotations && { annotations }) }
  return {
    type: Array.isArray(type) ? type[0] : type,
    ...(format && { format }),
    ...(value !== undefined && { default: value }),
    ...(items && { items: plain(items) }),
    ...(properties && { properties: byName(properties) }),
    ...(additionalProperties && { additionalProperties: plain(additionalProperties) }),
    ...(annotations && { annotations }),
  }
}

const byName = (schemas: Record<string, Told>): Record<string, Schema> =>
  Object.fromEntries(
    Object.keys(schemas)
      .sort()
      .map((name) => [name, plain(schemas[name] ?? {})]),
  )

/**
 * Every schema of the service in the words of a discovery document, which prints them; field masks are checked against
 * them. They come from the schemas that bodies are parsed with, and are worked out when the package is built: a read need
 * not load those.
 */
export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(byName($defs as Record<string, Told>)).map(([id, schema]) => [id, { id, ...schema }]),
)
