import type { Endpoint } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { findShape } from '../../mcp/definitions/shapes.ts'
import { TOOLS, type ToolDefinition } from '../../mcp/definitions/tools.ts'
import type { JsonSchema } from '../../schema/jsonSchema.ts'
import { STANDARD, UNDOCUMENTED } from '../../schema/params.ts'
import { SCHEMAS } from '../../schema/schemas.ts'
import { isObject } from '../../schema/values/json.ts'
import { describeUnknownName, findMisspelled } from '../../schema/values/nearest.ts'
import { isConditions, isDateObject } from '../matching.ts'
import { isSelected, matchesMethod } from '../request.ts'
import type { Journal } from './journal.ts'
import { toFullCall } from './recordedCall.ts'
import type { CallFilter } from './search.ts'

/**
 * Throws a RangeError for a key that misspells one of the methods' parameters, body or response, unless a call contains it.
 * Another unknown key is valid, because the service ignores what clients send besides.
 */
export function requireSpelledKeys({ method = '*', where = {} }: CallFilter, journal: Journal): void {
  const methods = findMethods([method].flat())
  const calls = once(() =>
    journal
      .listEntries()
      .filter((entry) => isSelected(entry, { method }))
      .map((entry) => toFullCall(entry, journal.world)),
  )
  for (const part of ['params', 'body', 'response'] as const) {
    const schemas = methods.map((one) => ('inputSchema' in one ? toToolSchema(one, part) : toSchema(one, part)))
    requireKeys(where[part], { path: `where.${part}`, schemas, find: once(() => calls().map((call) => call[part])) })
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Returns none if a pattern includes others than methods of the service and tools of MCP. */
function findMethods(patterns: readonly string[]): (Endpoint | ToolDefinition)[] {
  const found = patterns.map((pattern) => [
    ...api.filter(({ id }) => matchesMethod(pattern, id.slice('calendar.'.length))),
    ...TOOLS.filter(({ name }) => matchesMethod(pattern, `mcp.${name}`)),
  ])
  return patterns.includes('*') || found.some(({ length }) => length === 0) ? [] : found.flat()
}

const toProperties = (names: readonly string[]): JsonSchema => ({
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})

const ERROR_ITEM = toProperties(['domain', 'reason', 'message', 'locationType', 'location', 'extendedHelp'])
const ERROR = {
  properties: {
    ...toProperties(['code', 'message', 'status', 'details']).properties,
    errors: { items: ERROR_ITEM },
  },
} as const satisfies JsonSchema

type Part = 'params' | 'body' | 'response'

function toSchema({ params, request, response }: Endpoint, part: Part): JsonSchema {
  if (part === 'params') return toProperties([...Object.keys({ ...params, ...STANDARD }), ...UNDOCUMENTED])
  if (part === 'body') return SCHEMAS[request ?? ''] ?? {}
  return { properties: { ...SCHEMAS[response ?? '']?.properties, error: ERROR } }
}

function toToolSchema({ inputSchema, outputSchema = {} }: ToolDefinition, part: Part): JsonSchema {
  if (part === 'params') return toProperties(['calendarId', 'eventId'])
  if (part === 'body') return inputSchema
  const result = { properties: { ...toProperties(['content', 'isError']).properties, structuredContent: outputSchema } }
  return { properties: { ...toProperties(['jsonrpc', 'id', 'error']).properties, result } }
}

/** A place in calls: its schemas, by method, and a function that returns its values. */
type Place = { readonly path: string; readonly schemas: readonly JsonSchema[]; find(): readonly unknown[] }

function requireKeys(expected: unknown, place: Place): void {
  if (isConditions(expected)) {
    const { contains } = expected as { contains?: unknown }
    for (const one of [contains ?? []].flat()) requireKeys(one, toElement(place, '.contains'))
  } else if (Array.isArray(expected))
    for (const [at, one] of expected.entries()) requireKeys(one, toElement(place, `[${at}]`))
  else if (isObject(expected) && !isDateObject(expected)) {
    requireNames(Object.keys(expected), place)
    for (const [name, part] of Object.entries(expected)) if (part !== null) requireKeys(part, toMember(place, name))
  }
}

function requireNames(names: readonly string[], { path, schemas, find }: Place): void {
  if (schemas.some(({ additionalProperties }) => additionalProperties)) return
  const known = [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))]
  for (const name of names) {
    const nearest = known.includes(name) ? undefined : findMisspelled(name, known)
    if (nearest === undefined || find().some((value) => hasKey(value, name))) continue
    throw new RangeError(`${path}: ${describeUnknownName(name, [nearest])}`)
  }
}

/** A body or a response that was cut is text. */
const hasKey = (value: unknown, name: string): boolean =>
  typeof value === 'string' ? value.includes(JSON.stringify(name)) : isObject(value) && Object.hasOwn(value, name)

const resolve = (schema: JsonSchema | undefined): JsonSchema[] => {
  const found = schema?.$ref === undefined ? schema : (SCHEMAS[schema.$ref] ?? findShape(schema.$ref))
  return found ? [found] : []
}

const toElement = ({ path, schemas, find }: Place, step: string): Place => ({
  path: path + step,
  schemas: schemas.flatMap(({ items }) => resolve(items)),
  find: once(() => find().flat()),
})

const toMember = ({ path, schemas, find }: Place, name: string): Place => ({
  path: `${path}.${name}`,
  schemas: schemas.flatMap(({ properties = {}, additionalProperties }) =>
    resolve(Object.hasOwn(properties, name) ? properties[name] : additionalProperties),
  ),
  find: once(() =>
    find().map((value) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : toText(value))),
  ),
})

const toText = (value: unknown): unknown => (typeof value === 'string' ? value : undefined)
