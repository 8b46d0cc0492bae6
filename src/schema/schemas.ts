import { z } from 'zod'
import { calendar } from './calendar.ts'
import { channel } from './channel.ts'
import { colors } from './colors.ts'
import { fullAttendee } from './event.ts'
import { freeBusyRequest, freeBusyResponse } from './freeBusy.ts'
import { discovery, type JsonSchema } from './jsonSchema.ts'
import { acl, calendarList, events, settings } from './lists.ts'

/**
 * Bodies and responses of methods. They contain all other schemas, except the full attendee, which is listed because the event
 * contains only its parsed part.
 */
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
  fullAttendee,
})

const { $defs } = z.toJSONSchema(ROOTS, {
  io: 'input',
  metadata: discovery,
  override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, discovery.get(zodSchema)),
})

type ZodJsonSchema = Omit<JsonSchema, 'type' | 'items' | 'properties' | 'additionalProperties'> & {
  type?: JsonSchema['type'] | [JsonSchema['type'], 'null']
  anyOf?: ZodJsonSchema[]
  items?: ZodJsonSchema
  properties?: Record<string, ZodJsonSchema>
  additionalProperties?: ZodJsonSchema
}

/**
 * Discovery has no terms for null, patterns and alternatives: of those, only the first counts. A reference keeps only its name
 * and annotations.
 */
function toDiscovery({ anyOf: [first] = [], ...rest }: ZodJsonSchema): JsonSchema {
  const { $ref, type = 'any', format, default: value, annotations, ...inside } = { ...first, ...rest }
  const { items, properties, additionalProperties } = inside
  if ($ref) return { $ref: $ref.replace('#/$defs/', ''), ...(annotations && { annotations }) }
  return {
    type: Array.isArray(type) ? type[0] : type,
    ...(format && { format }),
    ...(value !== undefined && { default: value }),
    ...(items && { items: toDiscovery(items) }),
    ...(properties && { properties: convertAll(properties) }),
    ...(additionalProperties && { additionalProperties: toDiscovery(additionalProperties) }),
    ...(annotations && { annotations }),
  }
}

const convertAll = (schemas: Record<string, ZodJsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.keys(schemas)
      .sort()
      .map((name) => [name, toDiscovery(schemas[name] ?? {})]),
  )

/**
 * Field masks are checked against these schemas. Import this module only when it is needed: it loads zod and converts all
 * schemas.
 */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(convertAll($defs as Record<string, ZodJsonSchema>)).map(([id, schema]) => [id, { id, ...schema }]),
)
