import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { z } from 'zod'
import { withNewer } from './surface.ts'

/**
 * Checks that responses match the schemas of the service: no unknown key, no null, no value of another type or format. The
 * schemas come from the recorded surface and not from the tables of `src`, so that an error of one is found by the other.
 */
type Property = {
  type?: string
  format?: string
  default?: string
  $ref?: string
  items?: Property
  properties?: Record<string, Property>
  additionalProperties?: Property
}
const surface: {
  methods: Record<string, { httpMethod: string; path: string; response?: string }>
  schemas: Record<string, Property>
} = JSON.parse(readFileSync('test/surface.json', 'utf8'))

const FORMS: Record<string, z.ZodType> = {
  int32: z.int32(),
  int64: z.string().regex(/^-?\d+$/),
  date: z.iso.date(),
  'date-time': z.iso.datetime({ offset: true }),
}
const TYPES: Record<string, () => z.ZodType> = {
  string: () => z.string(),
  boolean: () => z.boolean(),
  integer: () => z.int(),
  any: () => z.unknown(),
}

const schemas = new Map<string, z.ZodType>()

/** Returns the schema of an object such as `Event`. */
function schemaNamed(name: string): z.ZodType {
  const schema = schemas.get(name) ?? z.lazy(() => objectOf(withNewer(name, surface.schemas[name] ?? {})))
  schemas.set(name, schema)
  return schema
}

/** Returns the schema of an object. `kind` is required and constant; all other fields are optional. */
function objectOf({ properties = {} }: Property): z.ZodType {
  const fields = Object.entries(properties).map(([name, property]) =>
    name === 'kind' ? [name, z.literal(property.default ?? '')] : [name, schemaOf(property).optional()],
  )
  return z.strictObject(Object.fromEntries(fields))
}

/** Returns the schema of a property of the surface. A type that is not known accepts no value. */
function schemaOf(property: Property): z.ZodType {
  if (property.$ref) return schemaNamed(property.$ref)
  if (property.items) return z.array(schemaOf(property.items))
  if (property.additionalProperties) return z.record(z.string(), schemaOf(property.additionalProperties))
  if (property.properties) return objectOf(property)
  return FORMS[property.format ?? ''] ?? TYPES[property.type ?? '']?.() ?? z.never()
}

/** One of the errors in the body of an error response. */
const errorItem = z.strictObject({
  domain: z.string(),
  reason: z.string(),
  message: z.string(),
  locationType: z.enum(['parameter', 'header']).optional(),
  location: z.string().optional(),
  extendedHelp: z.url().optional(),
})
/** The body of an error response, in the form of Calendar or in that of the API gateway. */
const errorBody = z.strictObject({
  error: z.union([
    z.strictObject({ errors: z.array(errorItem).min(1), code: z.int(), message: z.string() }),
    z.strictObject({
      code: z.int(),
      message: z.string(),
      errors: z.array(errorItem).length(1),
      status: z.string(),
      details: z
        .array(
          z.union([
            z.strictObject({
              '@type': z.literal('type.googleapis.com/google.rpc.ErrorInfo'),
              reason: z.string(),
              domain: z.literal('googleapis.com'),
              metadata: z.strictObject({
                service: z.string(),
                method: z.string().optional(),
                consumer: z.string().optional(),
              }),
            }),
            z.strictObject({
              '@type': z.literal('type.googleapis.com/google.rpc.Help'),
              links: z.array(z.strictObject({ description: z.string(), url: z.url() })),
            }),
          ]),
        )
        .optional(),
    }),
  ]),
})

const routes = Object.entries(surface.methods)
  .map(([id, { httpMethod, path, response }]) => ({
    id,
    httpMethod,
    response,
    pattern: new RegExp(`^(?:/w/[^/]+)?(?:/calendar/v3|/v3)?/${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    fixed: !path.includes('{eventId}') && !path.includes('{calendarId}/{'),
  }))
  .sort((a, b) => Number(b.fixed) - Number(a.fixed))

/** Returns the API method of a request; undefined if there is none. Of two that match, it is the one with the fixed path. */
const methodOf = (verb: string, path: string) =>
  routes.find(({ httpMethod, pattern }) => httpMethod === verb && pattern.test(path))

/**
 * Fails the test unless a response, whose body is `text`, matches the schema of its method. Responses to other routes, and
 * those with a field mask, are not checked.
 */
export function requireValidReply(
  request: { method: string; url: string },
  { ok, status, headers }: Pick<Response, 'ok' | 'status' | 'headers'>,
  text: string,
): void {
  const url = new URL(request.url)
  const method = methodOf(request.method, url.pathname)
  if (!method || url.searchParams.get('fields')) return
  // Only an invalid reply becomes an assertion, because every request of the tests is checked here.
  const requireEqual = (actual: unknown, expected: unknown) => {
    if (actual !== expected) expect(actual, `${method.id} ${status} ${text}`).toEqual(expected)
  }
  // 431 is the answer of Node to a URL that is too long.
  if (status === 204 || status === 304 || status === 431) return void requireEqual(text, '')
  if (status === 404 && text.startsWith('<!DOCTYPE html>')) return // no such path, or no such world
  requireEqual(headers.get('Content-Type'), 'application/json; charset=UTF-8')
  const schema = ok ? schemaNamed(method.response ?? '') : errorBody
  requireEqual(schema.safeParse(JSON.parse(text)).error?.issues, undefined)
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Returns a function that sends requests with `send`, and checks each response with `requireValidReply`. */
export const withReplyChecks =
  (send: Fetch): Fetch =>
  async (input, init) => {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const response = await send(input, init)
    const url = input instanceof Request ? input.url : String(input)
    requireValidReply({ method, url }, response, await response.clone().text())
    return response
  }
