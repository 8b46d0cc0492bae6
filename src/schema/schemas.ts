import { z } from 'zod'
import { aclRule } from './aclRule.ts'
import { channel, freeBusyRequest } from './bodies.ts'
import { calendar } from './calendar.ts'
import { shownEntry } from './calendarListEntry.ts'
import { event, eventReminder, fullAttendee } from './event.ts'
import { byId, discovery, instant, type JsonSchema, kind, listOf, namedSchema, text } from './jsonSchema.ts'
import { setting } from './setting.ts'

const pageOf = <S extends z.ZodType>(name: string, item: S) => ({
  kind: kind(name),
  etag: text,
  items: listOf(item),
  nextPageToken: text,
  nextSyncToken: text,
})

const acl = namedSchema('Acl', z.object(pageOf('calendar#acl', aclRule)))
const calendarList = namedSchema('CalendarList', z.object(pageOf('calendar#calendarList', shownEntry)))
const settings = namedSchema('Settings', z.object(pageOf('calendar#settings', setting)))

/** `accessRole` is the caller's. */
const events = namedSchema(
  'Events',
  z.object({
    ...pageOf('calendar#events', event),
    summary: text,
    description: text,
    updated: instant,
    timeZone: text,
    accessRole: text,
    defaultReminders: listOf(eventReminder),
  }),
)

const colorDefinition = namedSchema('ColorDefinition', z.object({ background: text, foreground: text }))

const colors = namedSchema(
  'Colors',
  z.object({
    kind: kind('calendar#colors'),
    updated: instant,
    calendar: byId(colorDefinition),
    event: byId(colorDefinition),
  }),
)

const timePeriod = namedSchema('TimePeriod', z.object({ start: instant, end: instant }))
const error = namedSchema('Error', z.object({ domain: text, reason: text }))
const freeBusyCalendar = namedSchema('FreeBusyCalendar', z.object({ errors: listOf(error), busy: listOf(timePeriod) }))
const freeBusyGroup = namedSchema('FreeBusyGroup', z.object({ errors: listOf(error), calendars: listOf(z.string()) }))

/** Objects by id: the busy times of calendars and the calendars of groups, or the errors of an id. */
const freeBusyResponse = namedSchema(
  'FreeBusyResponse',
  z.object({
    kind: kind('calendar#freeBusy'),
    timeMin: instant,
    timeMax: instant,
    groups: byId(freeBusyGroup),
    calendars: byId(freeBusyCalendar),
  }),
)

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
