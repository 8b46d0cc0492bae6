import type { Context } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import { z } from 'zod'
import { answerFunction, parseArguments } from '../control/functionRows.ts'
import { VerificationError } from '../control/matching.ts'
import { FUNCTIONS, OPERATIONS, RAW_ROUTES, type RawRouteId } from '../control/operations/index.ts'
import {
  answerOperation,
  type ControlContext,
  type Operation,
  withControlErrors,
} from '../control/operations/operation.ts'
import { storyAction } from '../control/playedStory.ts'
import { createErrorBody } from '../http/errors.ts'
import { jsonResponse, toResponse } from '../http/reply.ts'
import { ApiError, apiError, throwInvalidValue, withExplanations } from '../schema/apiErrors.ts'
import { findJsonProblem, isObject, MAX_ENTRIES } from '../schema/values/json.ts'
import { aliasesOf, describeUnknownName, findMisspelled, findNearest } from '../schema/values/nearest.ts'
import { shorten } from '../schema/values/shownText.ts'
import { firstValues, parseJsonBody, parseWith, readText, requireFewEntries } from './checks/input.ts'
import { requireJson, requireTrusted } from './checks/requireTrusted.ts'
import { enterWorld, type RequestContext } from './requestContext.ts'

type PathParams = Readonly<Record<string, string>>

/**
 * Rejects with 403 without permission, 404 for an unknown route or world, 400 for invalid input, and the errors of the
 * operation. Loaded with the first such request, because building its schemas takes long.
 */
export async function answerControl(context: RequestContext): Promise<Response> {
  try {
    requireTrusted(context)
  } catch (error) {
    if (!isHealthCheck(context) || isFromPage(error)) throw error
    return toJsonResponse(context, { status: 'ok' })
  }
  return controlApp.fetch(context.request, context)
}

const isFromPage = (error: unknown): boolean => error instanceof ApiError && error.items[0]?.name === 'foreignOrigin'

/** It needs no permission, because containers and load balancers have none. Without it, the reply names no world. */
const isHealthCheck = ({ verb, path }: RequestContext): boolean =>
  (verb === 'GET' || verb === 'HEAD') && /^\/_control\/health\/?$/.test(path)

/** Rejects with 400 for invalid input, 404 for a world that is not allowed, 504 after a wait that timed out. */
async function callOperation(context: RequestContext, operation: Operation, pathParams: PathParams): Promise<Response> {
  const { request } = context
  const text = operation.verb === 'GET' ? '' : await readText(request)
  const input = isRawBody(operation, request)
    ? parseWith(operation.input ?? NO_BODY, { ...firstValues(context.query), [operation.rawBody.field]: text }, 'query')
    : parseInput(operation, context, text, pathParams)
  const { rawResult, field } = operation
  const toText = (body: object) => {
    const headers = { 'Content-Type': `${rawResult}`, 'X-Content-Type-Options': 'nosniff' }
    return new Response(Reflect.get(body, field ?? ''), { headers })
  }
  const answer = (control: ControlContext) => answerOperation(operation, control, input as never)
  return answerWith(context, answer, rawResult === undefined ? undefined : toText)
}

const argumentsWithUndefined = z.strictObject({
  arguments: z.array(z.unknown()),
  undefined: z.array(z.array(z.union([z.string(), z.int()])).min(1)),
})
const functionArguments = z.union([z.array(z.unknown()), argumentsWithUndefined])

/** A null in a list of arguments stands for one that is left out. */
function toArguments(given: z.output<typeof functionArguments>): unknown[] {
  if (Array.isArray(given)) return given.map((value) => value ?? undefined)
  for (const path of given.undefined) {
    const key = path.at(-1) ?? ''
    const holder = path.slice(0, -1).reduce(findOwn, given.arguments)
    const isMissing = Array.isArray(holder)
      ? findOwn(holder, key) === null
      : isObject(holder) && !Object.hasOwn(holder, key)
    if (isMissing) Object.defineProperty(holder, key, { ...OWN, value: undefined })
  }
  return given.arguments
}

const OWN = { enumerable: true, configurable: true, writable: true }
const findOwn = (part: unknown, key: string | number): unknown =>
  typeof part === 'object' && part !== null && Object.hasOwn(part, key) ? Reflect.get(part, key) : undefined

/** The arguments are in the body. Throws the errors of the operation. */
async function callFunction(context: RequestContext, name: string): Promise<Response> {
  const text = await readText(context.request)
  requireJson(context.request)
  const row = FUNCTIONS.get(name)
  if (!row) throwInvalidValue('name', describeUnknownName(name, [...FUNCTIONS.keys()], 'function'))
  const given = toArguments(parseWith(functionArguments, parseControlBody(text))) as never[]
  const input = withControlErrors(() => parseArguments(row.operation, name, row.toInput(...given)))
  return answerWith(context, (control) => answerFunction({ ...row, name }, control, input as object))
}

async function answerWith(
  context: RequestContext,
  answer: (context: ControlContext) => Promise<object>,
  toResult: (body: object) => Response = (body) => toJsonResponse(context, body),
): Promise<Response> {
  const { registry, worldName, signal } = context
  const world = enterWorld(context)
  try {
    const controlContext = { world, worlds: registry, attempts: () => registry.attempts(), name: worldName, signal }
    return toResult(await answer(controlContext))
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error
    const { message } = error
    const body = createErrorBody(apiError('verificationFailed', { problem: message }), VERIFICATION_FAILED)
    return toJsonResponse(context, { verified: false, message, ...body }, VERIFICATION_FAILED)
  }
}

const VERIFICATION_FAILED = 417

const toJsonResponse = (context: RequestContext, body: object, status = 200): Response =>
  toResponse(jsonResponse(body, { status, now: context.now, cache: 'none', indent: 1 }))

/** It needs no check of its origin, because no page can send that type without a preflight. */
const isRawBody = (
  operation: Operation,
  request: Request,
): operation is Operation & { rawBody: NonNullable<Operation['rawBody']> } =>
  operation.rawBody !== undefined &&
  request.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase() === operation.rawBody.mediaType

const NO_BODY = z.strictObject({})

/**
 * The input is the query and path of a GET, else body and path. Undefined for a GET without input. Throws `notJson`
 * (403) for a body of another type, `parseError` and `invalidValue` (400).
 */
function parseInput(
  { verb, input, maxEntries }: Operation,
  context: RequestContext,
  text: string,
  pathParams: PathParams,
): unknown {
  if (text !== '') requireJson(context.request)
  if (verb === 'GET') return input && parseWith(input, { ...firstValues(context.query), ...pathParams }, 'query')
  const body = parseControlBody(text, maxEntries)
  return parseWith(input ?? NO_BODY, withPathParams(body, pathParams))
}

/**
 * Throws `invalidValue` (400), for broken JSON with its reason. A seed may have long lists. No input has an object of many names,
 * which take long to copy and to compare.
 */
function parseControlBody(text: string, maxEntries?: number): unknown {
  const body = parseJsonBody(text, () => throwInvalidValue('body', `not JSON: ${findJsonProblem(text)}`))
  requireFewEntries(body, { ofList: maxEntries, ofObject: MAX_ENTRIES })
  return body
}

/** A body that is no object is returned unchanged. Throws `invalidValue` (400) if it contains a path parameter. */
function withPathParams(body: unknown, pathParams: PathParams): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const duplicate = Object.keys(pathParams).find((name) => Object.hasOwn(body, name))
  if (duplicate !== undefined) throwInvalidValue(duplicate, 'the path already contains it; remove it from the body')
  return { ...body, ...pathParams }
}

const RAW_HANDLERS: Record<RawRouteId, (context: RequestContext, c: Context) => Promise<Response>> = {
  'control.calls.stream': async (context, c) => (await import('./callStream.ts')).streamCalls(context, c),
  'control.functions': (context, c) => callFunction(context, c.req.param('name') ?? ''),
  async 'control.overview'(context) {
    const { createOverview } = await import('../control/overview.ts')
    return toJsonResponse(context, createOverview(context.worldName, context.registry, context.now))
  },
  async 'control.story'(context) {
    const text = await readText(context.request)
    requireJson(context.request)
    const { action } = parseWith(storyAction, parseControlBody(text))
    const { story } = enterWorld(context).controls
    if (!story) throwInvalidValue('action', 'no story is played in this world; start the server with --play')
    story.act(action)
    return toJsonResponse(context, { story: story.progress })
  },
  async 'control.openapi'(context) {
    const { getOpenApiDocument } = await import('../control/openapi.ts')
    return toJsonResponse(context, getOpenApiDocument())
  },
}

const KNOWN_ROUTES = [...RAW_ROUTES, ...OPERATIONS].map(({ verb, path }) => `${verb} ${path}`)

/** The nearest route for a 404 is none of them, because a reader who follows it would lose data. */
const DESTRUCTIVE = /^DELETE |\/(?:reset|replace|restore|result)$|\/worlds\//

/**
 * Names the route that is meant by a common name, or whose path is misspelled; else the nearest one that only reads, because the
 * others change data.
 */
function unknownRoute({ verb, path }: RequestContext): never {
  const target = `${verb === 'HEAD' ? 'GET' : verb} ${path}`
  const safe = KNOWN_ROUTES.filter((one) => !DESTRUCTIVE.test(one))
  const [name] = aliasesOf(target.replace(/^(\w+) \/_control\//, '$1').replace(/[^A-Za-z]/g, ''))
  const misspelled = findMisspelled(
    target,
    safe.filter((one) => one.startsWith(`${verb} `)),
  )
  const reading = safe.filter((one) => one.startsWith('GET '))
  const nearest = name ?? misspelled ?? findNearest(`GET ${path}`, reading) ?? ''
  throw apiError('unknownControlRoute', { target: shorten(target), nearest })
}

/** An app of its own, because the main app cannot add routes after its first match. */
export const controlApp = new HonoBase<{ Bindings: RequestContext }>({
  router: new TrieRouter(),
  getPath: (_, { env } = {}) => (env as RequestContext).path,
})
controlApp.get('/_control', ({ env: context }) => {
  const routes = [...OPERATIONS, ...RAW_ROUTES].map(({ verb, path, summary }) => ({ verb, path, summary }))
  return toJsonResponse(context, { routes })
})
/** Hono takes a name up to the next slash, so a suffix (`{id}.eml`) is part of the parameter. */
const toHonoPath = (path: string): string =>
  path.replace(/\{(\w+)\}(\.\w+)?/g, (_, name, suffix) => `:${name}${suffix ? `{[^/]+\\${suffix}}` : ''}`)
const readPathParams = ({ path }: Operation, params: PathParams): PathParams => {
  const [, name, suffix = ''] = /\{(\w+)\}(\.\w+)/.exec(path) ?? []
  return name ? { ...params, [name]: params[name]?.slice(0, -suffix.length) ?? '' } : params
}
for (const { id, verb, path } of RAW_ROUTES) controlApp.on(verb, toHonoPath(path), (c) => RAW_HANDLERS[id](c.env, c))
for (const operation of OPERATIONS)
  controlApp.on(operation.verb, toHonoPath(operation.path), (c) =>
    callOperation(c.env, operation, readPathParams(operation, c.req.param())),
  )
controlApp.all('*', ({ env }) => unknownRoute(env))
controlApp.onError((error) => {
  throw error instanceof ApiError ? withExplanations(error) : error // to the main app
})
