import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import { type BodyFields, findUnknownFields, listUnknownNameHints } from '../../control/hints/hints.ts'
import { ApiError, apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { BodyName } from '../../schema/bodies.ts'
import { parseParams, parseStandardParams } from '../../schema/params.ts'
import { deepestIssue, describeAccepted, formatPath } from '../../schema/values/issues.ts'
import { isObject, parseJson as parse } from '../../schema/values/json.ts'
import { requestedQueryOf, requireSameFilters } from '../../sync/paging.ts'
import type { RawBody, RequestContext } from '../requestContext.ts'

const MAX_BODY_BYTES = 10 * 1024 * 1024

const NO_BODY: RawBody = { text: '', isForm: false }

/** Returns true unless the verb is GET, HEAD or DELETE, whose bodies are ignored. */
export const mayHaveBody = ({ verb }: RequestContext): boolean => verb !== 'GET' && verb !== 'HEAD' && verb !== 'DELETE'

/** Reads the body of a request, and adds the parameters in a form to the query. An error is kept until a check needs the body. */
export async function readBody(context: RequestContext): Promise<void> {
  const { request, query } = context
  const isForm = isFormEncoded(request)
  try {
    context.text = await readText(request)
    context.rawBody = { text: context.text, isForm }
    if (hasFormParameters(context))
      for (const [name, value] of new URLSearchParams(context.text)) query.append(name, value)
  } catch (error) {
    context.rawBody = { text: '', isForm, error }
  }
}

/**
 * Returns true if the body contains parameters: the Ruby client sends those of a POST without a body in a form, and the Python
 * client those of a long GET (behaviour 11.13, 11.14).
 */
const hasFormParameters = ({ verb, endpoint, rawBody }: RequestContext): boolean =>
  verb === 'POST' && endpoint?.request === undefined && rawBody?.isForm === true

/** Returns the text of a raw body. Throws the error that occurred while reading it. */
export function textOf({ text, error }: RawBody = NO_BODY): string {
  if (error) throw error
  return text
}

export const isFormEncoded = ({ headers }: Request): boolean =>
  headers.get('Content-Type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false

/** Reads a body as text. Throws `bodyTooLarge` above 10 MB, and `parseError` if the client disconnects. */
export const readText = (request: Request): Promise<string> =>
  readWithinLimit(
    request,
    (body) => body.text(),
    (text) => Buffer.byteLength(text),
  )

export const readBytes = async (request: Request): Promise<Uint8Array> =>
  new Uint8Array(
    await readWithinLimit(
      request,
      (body) => body.arrayBuffer(),
      ({ byteLength }) => byteLength,
    ),
  )

/**
 * Only a body of unknown length (chunked or compressed) is read as a stream that stops at the limit, because that takes twice
 * as long.
 */
async function readWithinLimit<T>(
  request: Request,
  take: (body: Request) => Promise<T>,
  sizeOf: (body: T) => number,
): Promise<T> {
  const { headers } = request
  if (Number(headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES) throw apiError('bodyTooLarge')
  try {
    const hasLength = !headers.has('Content-Encoding') && !headers.has('Transfer-Encoding')
    const body = await take(hasLength ? request : await limitBody(decompressBody(request)))
    return sizeOf(body) > MAX_BODY_BYTES ? throwApiError('bodyTooLarge') : body
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw apiError('parseError')
  }
}

const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => throwApiError('bodyTooLarge') })

async function limitBody(raw: Request): Promise<Request> {
  const context = { req: { raw } }
  await limit(context as Context, async () => undefined)
  return context.req.raw
}

function decompressBody({ url, method, headers: sent, body }: Request): Request {
  const headers = new Headers([...sent].filter(([name]) => !/^content-(encoding|length)$/i.test(name)))
  const encoding = sent.get('Content-Encoding')?.trim().toLowerCase() || 'identity'
  const plain = encoding === 'identity' ? body : body?.pipeThrough(new DecompressionStream(formatOf(encoding)))
  const init = { method, headers, body: plain ?? null, duplex: 'half' }
  return new Request(url, init)
}

const FORMATS = new Map<string, CompressionFormat>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])
/** Returns the compression format of a `Content-Encoding`. Throws `parseError` for others. */
const formatOf = (encoding: string): CompressionFormat => FORMATS.get(encoding) ?? throwApiError('parseError')

/** Parses JSON. An empty text is an empty object. Throws `parseError`. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parse(text)
  } catch {
    throw apiError('parseError')
  }
}

/**
 * Parses the input of a control with a schema. Throws `invalidValue`, which names the first wrong field and lists the others. A problem of
 * the data as a whole, such as an unknown name, is reported of `place`.
 */
export function parseWith<S extends z.ZodType>(
  schema: S,
  data: unknown,
  place: 'body' | 'query' = 'body',
): z.output<S> {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  const others = result.error.issues.slice(1).map((one) => {
    const other = deepestIssue([one])
    return `\n${formatPath(other?.path ?? []) || place}: ${other?.message ?? ''}`
  })
  throw apiError('invalidValue', {
    field: formatPath(issue?.path ?? []) || place,
    problem: [issue?.message ?? '', ...others].join(''),
  })
}

export const firstValues = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.get(name) ?? '']))

/** Parses the body with the schema of the endpoint. Throws 400. Its schemas are loaded by `prepare`. */
export function parseBody(context: RequestContext): void {
  const { endpoint, rawBody } = context
  if (!endpoint?.request || !schemas) return
  const text = textOf(rawBody)
  if (rawBody?.isForm && text !== '') throw apiError('formEncodedBody')
  const { BODIES, SCHEMAS } = schemas
  const name = endpoint.request
  const json = parseJson(text)
  // The service takes any other JSON value as an empty body (behaviour 14.55).
  const data = isObject(json) ? json : {}
  const result = BODIES[name].safeParse(data)
  if (!result.success) throw toWrongKind(result.error)
  context.body = result.data
  const { writable, all } = fieldNamesOf(name, BODIES[name].shape, SCHEMAS[name]?.properties)
  const unknownFields = findUnknownFields(data, name, SCHEMAS)
  context.bodyFields = { data, isObject: data === json, unknownFields, writable, all }
}

function toWrongKind({ issues }: z.ZodError): ApiError {
  const issue = deepestIssue(issues)
  return apiError('wrongKind', { field: formatPath(issue?.path ?? []), instead: describeAccepted(issue) })
}

type Schemas = Pick<typeof import('../../schema/bodies.ts'), 'BODIES'> &
  Pick<typeof import('../../schema/schemas.ts'), 'SCHEMAS'>
/** Loaded with the first body, because building the schemas would delay every start. */
let schemas: Schemas | undefined

export const loadBodySchemas = (): Promise<void> | undefined => (schemas ? undefined : loadSchemas())

async function loadSchemas(): Promise<void> {
  const { BODIES } = await import('../../schema/bodies.ts')
  const { SCHEMAS } = await import('../../schema/schemas.ts')
  schemas = { BODIES, SCHEMAS }
}

type FieldNames = Pick<BodyFields, 'writable' | 'all'>
const fieldNames = new Map<BodyName, FieldNames>()

function fieldNamesOf(name: BodyName, shape: object, properties: object = {}): FieldNames {
  const found = fieldNames.get(name) ?? {
    writable: new Set(Object.keys(shape)),
    all: new Set(Object.keys(properties)),
  }
  fieldNames.set(name, found)
  return found
}

/** Parses path, query and form parameters. Throws 400, and 413 for a form above 10 MB. */
export function parseParameters(context: RequestContext): void {
  const { endpoint, query, pathParams, path } = context
  if (!endpoint) return
  if (hasFormParameters(context)) textOf(context.rawBody)
  const { fields } = parseStandardParams(query)
  context.fields = fields
  const params = parseParams(endpoint.params, { path: pathParams, query })
  const original = query.has('pageToken') ? requestedQueryOf(context.data, path, query) : undefined
  context.params = (original ? paramsAfterEmptyPage(context, params, original) : params) as Call['params']
}

/**
 * Returns the parameters of the request whose page was emptied. Parameters that are sent again must be the same; if it had a page
 * token itself, the list compares them with that token.
 */
function paramsAfterEmptyPage(context: RequestContext, params: object, original: URLSearchParams): object {
  const { endpoint, query, pathParams: path } = context
  context.listQuery = original
  const first = parseParams(endpoint?.params ?? {}, { path, query: original })
  const isGiven = ([name]: [string, unknown]): boolean => query.has(name) && name !== 'pageToken'
  const given = Object.fromEntries(Object.entries(params).filter(isGiven))
  if (first.pageToken === undefined) requireSameFilters(given, first)
  return { ...given, ...first }
}

/** Loaded with the first field mask, because it needs all schemas of the service. */
let fieldMask: typeof import('../fieldMask.ts') | undefined

/** Loads the module that `parseFieldMask` needs. Returns undefined if it is loaded, or if the request has no field mask. */
export function loadFieldMask({ query, endpoint }: RequestContext): Promise<void> | undefined {
  if (fieldMask || !query.has('fields') || endpoint?.response === undefined) return undefined
  return import('../fieldMask.ts').then((module) => {
    fieldMask = module
  })
}

/** Parses the field mask. Throws 400. */
export function parseFieldMask(context: RequestContext): void {
  const { fields, endpoint } = context
  if (fields === '' || endpoint?.response === undefined || !fieldMask) return
  const { applyMask, parseMask } = fieldMask
  const mask = parseMask(fields, endpoint.response)
  if (mask) context.mask = (response) => applyMask(response, mask)
}

/** With the option `strictSurface`, throws 400 for parameters and fields that the service would ignore. */
export function checkSurface(context: RequestContext): void {
  if (!context.registry.options.strictSurface || !context.endpoint) return
  const [first] = listUnknownNameHints(context.endpoint, context)
  if (first) throw apiError('unknownInput', { what: first.what, instead: first.instead })
}
