import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import type { Call, Endpoint } from '../../api/endpoint.ts'
import { type BodyFields, listUnknownNameHints } from '../../control/hints/hints.ts'
import type { WorldData } from '../../model/worldData.ts'
import { ApiError, apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { BodyName } from '../../schema/bodies.ts'
import { parseParams, parseStandardParams } from '../../schema/params.ts'
import { deepestIssue, describeAccepted, formatPath, parseData, unknownKeysFirst } from '../../schema/values/issues.ts'
import {
  findLongPart,
  findUnknownFields,
  isObject,
  MAX_ENTRIES,
  type MaxEntries,
  parseJson,
} from '../../schema/values/json.ts'
import { limitLines, MAX_LISTED } from '../../schema/values/limitLines.ts'
import { requestedQueryOf, requireSameFilters } from '../../sync/paging.ts'
import type { RequestContext } from '../requestContext.ts'

const MAX_BODY_BYTES = 10 * 1024 * 1024
/** Of parameters in a form, in characters: eight times as much as a URL may have. */
const MAX_FORM_LENGTH = 128 * 1024

/** A body before it is parsed. `error` is thrown when a check needs the body. */
export type RawBody = {
  readonly text: string
  readonly isForm: boolean
  /** True for a POST without a body of the Ruby client, and a long GET of the Python client (behaviour 11.13, 11.14). */
  readonly hasParameters: boolean
  readonly error?: unknown
}

export const NO_BODY: RawBody = { text: '', isForm: false, hasParameters: false }

/** Adds the parameters in a form to the query. An error is kept until a check needs the body. */
export async function readBody({ request, query, record, verb }: RequestContext, endpoint: Endpoint): Promise<RawBody> {
  const isForm = isFormEncoded(request)
  const hasParameters = verb === 'POST' && endpoint.request === undefined && isForm
  try {
    const text = await readText(request)
    record.text = text
    if (hasParameters && text.length > MAX_FORM_LENGTH) throw apiError('bodyTooLarge')
    if (hasParameters) for (const [name, value] of new URLSearchParams(text)) query.append(name, value)
    return { text, isForm, hasParameters }
  } catch (error) {
    return { text: '', isForm, hasParameters, error }
  }
}

export const isFormEncoded = ({ headers }: Request): boolean =>
  headers.get('Content-Type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false

/** Throws `bodyTooLarge` above 10 MB, and `parseError` if the client disconnects. */
export const readText = (request: Request): Promise<string> => readWithinLimit(request, 'text')

export const readBytes = async (request: Request): Promise<Uint8Array> =>
  new Uint8Array(await readWithinLimit(request, 'arrayBuffer'))

type Read = { text: string; arrayBuffer: ArrayBuffer }

/**
 * Only a body of unknown length (chunked or compressed) is read as a stream that stops at the limit, because that takes twice
 * as long.
 */
async function readWithinLimit<Form extends keyof Read>(request: Request, form: Form): Promise<Read[Form]> {
  const { headers } = request
  if (Number(headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES) throw apiError('bodyTooLarge')
  try {
    const hasLength = !headers.has('Content-Encoding') && !headers.has('Transfer-Encoding')
    const source = hasLength ? request : await limitBody(decompressBody(request))
    const body = (await source[form]()) as Read[Form]
    return Buffer.byteLength(body) > MAX_BODY_BYTES ? throwApiError('bodyTooLarge') : body
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
  const plain =
    encoding === 'identity'
      ? body
      : body?.pipeThrough(new DecompressionStream(encoding.replace(/^x-/, '') as CompressionFormat))
  const init = { method, headers, body: plain ?? null, duplex: 'half' }
  return new Request(url, init)
}

/** An empty text is an empty object. Throws `parseError`, or another error for the same text. */
export function parseJsonBody(text: string, toError = () => apiError('parseError')): unknown {
  try {
    return text.trim() === '' ? {} : parseJson(text)
  } catch {
    throw toError()
  }
}

/** Throws `invalidValue` for the first wrong field, and lists the others. A problem of the whole is one of `place`. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  data: unknown,
  place: 'body' | 'query' = 'body',
): z.output<S> {
  const result = parseData(schema, data)
  if (result.success) return result.data
  const issues = unknownKeysFirst(result.error.issues)
  const issue = deepestIssue(issues)
  const others = limitLines(issues.slice(1), MAX_LISTED - 1).map((one) => {
    if (typeof one === 'string') return one
    const other = deepestIssue([one])
    return `${formatPath(other?.path ?? []) || place}: ${other?.message ?? ''}`
  })
  throwInvalidValue(formatPath(issue?.path ?? []) || place, [issue?.message ?? '', ...others].join('\n'))
}

export const firstValues = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.get(name) ?? '']))

/** Throws 400. `loadSchemas` must have loaded the schema. */
export function parseBody({ record }: RequestContext, name: BodyName, raw: RawBody): unknown {
  if (!schemas) return undefined
  if (raw.error) throw raw.error
  const { text } = raw
  if (raw.isForm && text !== '') throw apiError('formEncodedBody')
  const { BODIES, SCHEMAS } = schemas
  const json = parseJsonBody(text)
  // The service takes any other JSON value as an empty body (behaviour 14.55).
  const data = isObject(json) ? json : {}
  requireFewEntries(data)
  const result = BODIES[name].safeParse(data)
  if (!result.success) throw toWrongKind(result.error)
  const { writable, all } = fieldNamesOf(name, BODIES[name].shape, SCHEMAS[name]?.properties)
  const unknownFields = findUnknownFields(data, name, SCHEMAS)
  record.bodyFields = { data, isObject: data === json, unknownFields, writable, all }
  return result.data
}

/** Throws `invalidValue` before a schema reads each entry of a long list or object, which takes 100 times as long. */
export function requireFewEntries(
  value: unknown,
  max: MaxEntries = { ofList: MAX_ENTRIES, ofObject: MAX_ENTRIES },
): void {
  const found = findLongPart(value, max)
  if (found) throwInvalidValue(formatPath(found.path) || 'body', found.problem)
}

function toWrongKind({ issues }: z.ZodError): ApiError {
  const issue = deepestIssue(issues)
  return apiError('wrongKind', { field: formatPath(issue?.path ?? []), instead: describeAccepted(issue) })
}

type Schemas = Pick<typeof import('../../schema/bodies.ts'), 'BODIES'> &
  Pick<typeof import('../../schema/schemas.ts'), 'SCHEMAS'>
/** Loaded with the first body, because building the schemas would delay every start. */
let schemas: Schemas | undefined

/** Loaded with the first field mask, because it needs all schemas of the service. */
let fieldMask: typeof import('../fieldMask.ts') | undefined

async function loadModules(needsBodies: boolean, needsMask: boolean): Promise<void> {
  if (needsBodies) {
    const { BODIES } = await import('../../schema/bodies.ts')
    const { SCHEMAS } = await import('../../schema/schemas.ts')
    schemas = { BODIES, SCHEMAS }
  }
  if (needsMask) fieldMask = await import('../fieldMask.ts')
}

/** Returns undefined if all modules are loaded. */
export function loadSchemas({ query }: RequestContext, endpoint: Endpoint): Promise<unknown> | undefined {
  const needsMask = !fieldMask && endpoint.response !== undefined && query.has('fields')
  const needsBodies = !schemas && endpoint.request !== undefined
  if (!needsMask && !needsBodies && !endpoint.prepare) return undefined
  return Promise.all([loadModules(needsBodies, needsMask), endpoint.prepare?.()])
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

export type Mask = (response: object) => object

/** The parameters of a method, the field mask, and the query that a list continues. */
export type ParsedParameters = { params: Call['params']; mask: Mask | undefined; listQuery: URLSearchParams }

/** Throws 400, and 413 for a form above 10 MB. */
export function parseEndpointParams(
  context: RequestContext,
  endpoint: Endpoint,
  data: WorldData,
  raw: RawBody,
): ParsedParameters {
  const { query, path, record } = context
  if (raw.hasParameters && raw.error) throw raw.error
  const { fields } = parseStandardParams(query)
  const params = parseParams(endpoint.params, { path: record.pathParams, query }) as Call['params']
  const original = query.has('pageToken') ? requestedQueryOf(data, path, query) : undefined
  return {
    params: original ? paramsAfterEmptyPage(context, endpoint, params, original) : params,
    mask: fields === '' ? undefined : parseFieldMask(endpoint, fields),
    listQuery: original ?? query,
  }
}

/**
 * Returns the parameters of the request whose page was emptied. Parameters that are sent again must be the same; if
 * it had a page token itself, the list compares them with that token.
 */
function paramsAfterEmptyPage(
  { query, record }: RequestContext,
  endpoint: Endpoint,
  params: object,
  original: URLSearchParams,
): Call['params'] {
  const first = parseParams(endpoint.params, { path: record.pathParams, query: original })
  const isGiven = ([name]: [string, unknown]): boolean => query.has(name) && name !== 'pageToken'
  const given = Object.fromEntries(Object.entries(params).filter(isGiven))
  if (first.pageToken === undefined) requireSameFilters(given, first)
  return { ...given, ...first }
}

function parseFieldMask({ response }: Endpoint, fields: string): Mask | undefined {
  if (response === undefined || !fieldMask) return undefined
  const { applyMask, parseMask } = fieldMask
  const mask = parseMask(fields, response)
  return mask && ((body) => applyMask(body, mask))
}

/** Throws 400 for parameters and fields that the service would ignore. */
export function checkSurface({ record }: RequestContext, endpoint: Endpoint): void {
  const [first] = listUnknownNameHints(endpoint, record)
  if (first) throw apiError('unknownInput', { what: first.what, instead: first.instead })
}
