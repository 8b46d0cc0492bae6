import { ProtocolError } from '@modelcontextprotocol/server'
import { api } from '../api/index.ts'
import { type CannedTool, findCannedReply, toToolDefinition } from '../control/cannedTools.ts'
import { listToolHints } from '../control/hints/tools.ts'
import type { World } from '../control/worlds/world.ts'
import { ConnectionLost } from '../http/bodyFault.ts'
import { notFoundPage } from '../http/errors.ts'
import { type ApiResponse, jsonResponse } from '../http/reply.ts'
import { MAX_URL_LENGTH, splitUrl } from '../http/urls.ts'
import { needsApproval, requestApproval, type ToolCall, toErrorResult } from '../mcp/approval.ts'
import { isToolName, type ToolName } from '../mcp/definitions/toolNames.ts'
import { TOOL_TABLE, TOOLS } from '../mcp/definitions/tools.ts'
import { RestError, type RestParams, ToolError, type ToolHost, toErrorText } from '../mcp/host.ts'
import { findMessageProblem, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR } from '../mcp/message.ts'
import { EXTRA_SCOPES, findMetadata, formatChallenge, isForeignOrigin } from '../mcp/metadata.ts'
import { answerMessage, type ToolResult } from '../mcp/sdkServer.ts'
import { runTool } from '../mcp/tools/index.ts'
import { reportFault } from '../model/clock.ts'
import { type CallerCredentials, ensureAccount, identifyCaller } from '../oauth/credentials.ts'
import { ApiError, apiError, errorRowOf, messageOf } from '../schema/apiErrors.ts'
import { shorten } from '../schema/values/shownText.ts'
import { readText } from './checks/input.ts'
import { applyRequestFault } from './faults.ts'
import { enterWorld, RequestContext, SERVICE_PATH } from './requestContext.ts'

type AnswerRest = (part: RequestContext) => Promise<Response>

const METHOD_NOT_FOUND = -32_601
const SERVER_ERROR = -32_000
const INTERNAL_ERROR = 'Internal error encountered.'

/** The result of a tool call, and what the HTTP response around it has of its own. */
type ToolOutcome = {
  readonly result: ToolResult
  readonly status?: number | undefined
  readonly headers?: Record<string, string> | undefined
  /** Replaces the whole response. */
  readonly response?: ApiResponse
  /** A fault ended the request. */
  readonly lost?: ConnectionLost
}

/**
 * Behaviour 17.1. `answerRest` answers the requests that a tool makes. Rejects with `bodyTooLarge` (413), and with
 * ConnectionLost if a fault ends the request.
 */
export async function answerMcp(context: RequestContext, answerRest: AnswerRest): Promise<ApiResponse | Response> {
  const { record } = context
  record.createsWorld = false
  const world = enterWorld(context)
  const { options } = context.registry
  const origin = context.request.headers.get('Origin')
  if (origin !== null && isForeignOrigin(origin, context.rootUrl, options.publicUrl))
    return rpcError(context, null, SERVER_ERROR, `A page of ${origin} may not call this server.`, 403)
  record.text = await readText(context.request)
  const message = parseRpcMessage(record.text)
  if (message === undefined) return rpcError(context, null, PARSE_ERROR, 'Parse error')
  if (Array.isArray(message)) return rpcError(context, null, INVALID_REQUEST, 'Batches are not supported.')
  const { id, method } = Object(message) as { id?: unknown; method?: unknown }
  const problem = findMessageProblem(message)
  if (problem) return rpcError(context, id, problem.code, problem.message)
  if (method === 'subscriptions/listen') return rpcError(context, id, METHOD_NOT_FOUND, 'Method not found')
  const hasForms = !context.path.endsWith('self')
  const own = (options.mcpTools ?? TOOLS).filter((tool) => hasForms || !needsApproval(tool, options.mcp ?? {}))
  const tools = [...own, ...world.controls.cannedTools.map(toToolDefinition)]
  let outcome: Partial<ToolOutcome> = {}
  const reply = await answerMessage(context.request, message, {
    listTools: async () => tools,
    callTool: async (params, { mcpReq }) => {
      const { inputResponses } = mcpReq
      const answers = { hasForms, inputResponses, requestState: mcpReq.requestState<string>() }
      const answered = await answerToolCall(context, world, { ...params, ...answers }, answerRest)
      outcome = answered
      return answered.result
    },
  })
  if (outcome.lost) throw outcome.lost
  return outcome.response ?? (await toApiResponse(reply, outcome))
}

function parseRpcMessage(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toId = (id: unknown): string | number | null => (typeof id === 'string' || typeof id === 'number' ? id : null)

const rpcError = ({ now }: RequestContext, id: unknown, code: number, message: string, status = 400): ApiResponse =>
  jsonResponse({ jsonrpc: '2.0', id: toId(id), error: { code, message } }, { now, status, cache: 'none', indent: 0 })

async function toApiResponse(reply: Response, { status, headers }: Partial<ToolOutcome>): Promise<ApiResponse> {
  const text = await reply.text()
  return {
    status: status ?? reply.status,
    headers: { ...Object.fromEntries(reply.headers), ...headers },
    text: text === '' ? null : text,
  }
}

type CallParams = Pick<ToolCall, 'hasForms' | 'inputResponses' | 'requestState'> & { name: string; arguments?: unknown }

/** Runs a tool with the checks of a tool call in their order (behaviour 17.8). */
async function answerToolCall(
  context: RequestContext,
  world: World,
  params: CallParams,
  answerRest: AnswerRest,
): Promise<ToolOutcome> {
  const { name, arguments: given = {} } = params
  const canned = world.controls.cannedTools.find((tool) => tool.name === name)
  if (canned) return answerCannedCall(context, world, canned, given)
  if (!isToolName(name)) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${shorten(name)}`)
  describeCall(context, name, given)
  try {
    const credentials = identifyToolCaller(context, world)
    const response = await applyFaults(context, name)
    if (response) return { result: toErrorResult(''), response }
    world.controls.quota.spendToolCall()
    const { declinesWrites, openForms } = world.controls
    const callNumber = context.record.n ?? 0
    const call = { ...params, tool: { name, ...TOOL_TABLE[name] }, given, callNumber, openForms, declinesWrites }
    const refusal = requestApproval(call, context.registry.options.mcp ?? {})
    if (refusal) return { result: refusal }
    const run = await runTool(name, createHost(context, world, credentials, answerRest), given)
    context.record.hints = listToolHints(name, run)
    return { result: toResult(run.result) }
  } catch (error) {
    if (error instanceof ConnectionLost) return { result: toErrorResult(INTERNAL_ERROR), lost: error }
    return toFailure(context, name, error)
  }
}

function answerCannedCall(context: RequestContext, world: World, tool: CannedTool, given: unknown): ToolOutcome {
  describeCall(context, tool.name, given)
  identifyToolCaller(context, world)
  const reply = findCannedReply(tool, given)
  if (!reply) return { result: toErrorResult('Nothing was found for these arguments.') }
  const { gives } = reply
  return { result: typeof gives === 'object' && gives !== null ? toResult(gives) : toTextResult(String(gives)) }
}

function describeCall({ record }: RequestContext, name: string, given: unknown): void {
  const { calendarId, eventId } = Object(given) as Record<string, unknown>
  record.createsWorld = true
  record.text = JSON.stringify(given)
  record.n = record.controls?.journal.nextNumber()
  record.hints = []
  const pathParams = {
    ...(name !== 'list_calendars' && {
      calendarId: typeof calendarId === 'string' && calendarId ? calendarId : 'primary',
    }),
    ...(typeof eventId === 'string' && { eventId }),
  }
  record.set({ method: `mcp.${name}`, pathParams })
}

/** Throws 401, and 403 for a client that is not marked as agentic if only those are accepted. */
function identifyToolCaller({ token, registry, auth, record }: RequestContext, { data }: World): CallerCredentials {
  const credentials = identifyCaller(data, { token, apiKey: null, isPublic: false }, auth)
  const { caller, client } = credentials
  record.set({ caller, account: caller.email, client })
  const isAgentic = client !== undefined && data.oauth.clients.get(client)?.agentic === true
  if (registry.options.mcp?.agenticOnly && !isAgentic) throw apiError('clientNotAgentic')
  return credentials
}

/** Throws the error that a fault injects, and resolves to the response that another fault makes. */
async function applyFaults(context: RequestContext, tool: ToolName): Promise<ApiResponse | undefined> {
  const response = await applyRequestFault(context, { isWrite: !TOOL_TABLE[tool].annotations.readOnlyHint })
  const { injected } = context.record
  if (injected && 'error' in injected) throw injected.error
  return response
}

const toTextResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

const toResult = (structuredContent: object): ToolResult => ({
  ...toTextResult(JSON.stringify(structuredContent)),
  structuredContent: structuredContent as Record<string, unknown>,
})

function toFailure(context: RequestContext, tool: ToolName, error: unknown): ToolOutcome {
  const { record } = context
  const { injected } = record
  const { status = undefined, headers = {} } = injected && 'error' in injected ? injected : {}
  const challenge = (problem?: 'invalid_token' | 'insufficient_scope') => ({
    headers: {
      ...headers,
      'WWW-Authenticate': formatChallenge(tool, context.rootUrl, context.registry.options.mcp ?? {}, problem),
    },
  })
  if (error instanceof ApiError) {
    const [item] = error.items
    const { code, reason, frontEnd } = item ? errorRowOf(item) : { code: 403, reason: undefined, frontEnd: undefined }
    record.set({ error, reason })
    const isDisabled = item?.name === 'accessNotConfigured'
    const text = (item && (frontEnd?.message ?? messageOf(item))) ?? ''
    return {
      result: toErrorResult(toMcpNames(text)),
      status: status ?? (code === 401 || isDisabled ? code : undefined),
      headers,
      ...(code === 401 && challenge(item?.name === 'loginRequired' ? undefined : 'invalid_token')),
    }
  }
  const text = toErrorText(error)
  if (text === undefined) reportFault(`mcp.${tool}`, error)
  const result = toErrorResult(text ?? INTERNAL_ERROR)
  if (error instanceof ToolError) record.reason = 'invalid'
  if (error instanceof RestError) record.reason = error.reason
  return record.reason === 'insufficientPermissions'
    ? { result, status: 403, ...challenge('insufficient_scope') }
    : { result }
}

/** Renames the methods in the texts of `accessNotConfigured` and of the quota of tool calls (behaviour 17.8). */
const toMcpNames = (text: string): string =>
  text
    .replace('Google Calendar API', 'Calendar MCP API')
    .replace('calendar-json.googleapis.com', 'calendarmcp.googleapis.com')

function createHost(
  context: RequestContext,
  { data }: World,
  credentials: CallerCredentials,
  answerRest: AnswerRest,
): ToolHost {
  const { registry, record, now } = context
  const { email = '' } = credentials.caller
  if (!data.accounts.get(email))
    data.store.transaction(() => ensureAccount(data, credentials), { by: email, call: record.n })
  return {
    callRest: (method, params, body) => callRest(context, answerRest, method, params, body),
    email,
    timeZone: data.settings.of(email).get('timezone')?.value ?? 'UTC',
    now,
    callNumber: record.n ?? 0,
    options: registry.options.mcp ?? {},
  }
}

async function callRest<R>(
  context: RequestContext,
  answerRest: AnswerRest,
  method: string,
  { ifMatch, ...params }: RestParams,
  body?: object,
): Promise<R> {
  const { registry, request: outer, transport, worldName, token } = context
  const endpoint = api.find(({ id }) => id === `calendar.${method}`)
  if (!endpoint) throw new Error(`there is no method ${method}`)
  const names = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
  // A URL cannot contain such a segment.
  if ([...names].some((name) => /^\.{1,2}$/.test(String(params[name])))) throw new RestError(404, 'notFound', '')
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined || names.has(name) ? [] : [value].flat().map((one) => [name, String(one)]),
    ),
  )
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  if (ifMatch !== undefined) headers.set('If-Match', String(ifMatch))
  const url = `${splitUrl(outer.url).origin}${SERVICE_PATH}${path}?${query}`
  if (url.length > MAX_URL_LENGTH) throw new ToolError('Request contains an invalid argument.')
  const init = { method: endpoint.verb, headers, body: body === undefined ? null : JSON.stringify(body) }
  const inner = {
    ...{ ...transport, named: worldName, Response: undefined, socket: undefined },
    ...{ toolCall: context, extraScopes: EXTRA_SCOPES[method] },
  }
  const reply = await answerRest(new RequestContext(registry, new Request(url, init), inner))
  if (reply.status === 204) return {} as R
  const result = parseRpcMessage(await reply.text())
  if (reply.status === 200 && result !== undefined) return result as R
  const { error } = Object(result) as { error?: { message?: string; errors?: { reason?: string }[] } }
  throw new RestError(reply.status, error?.errors?.[0]?.reason, error?.message ?? INTERNAL_ERROR)
}

/** The server opens no stream (behaviour 17.1). */
export const answerOtherVerb = ({ now }: RequestContext): ApiResponse => {
  const { text, ...response } = jsonResponse({}, { now, status: 405, cache: 'none', indent: 0 })
  return { ...response, headers: { ...response.headers, Allow: 'POST' }, text: text && null }
}

/** The metadata of the server or of a tool. Other names get the page for unknown paths. */
export function answerMetadata({ path, rootUrl, now, registry }: RequestContext): ApiResponse | Response {
  const metadata = findMetadata(path.split('/').slice(3).join('/'), rootUrl, registry.options.mcp ?? {})
  return metadata ? jsonResponse(metadata, { now, cache: 'none', indent: 2 }) : notFoundPage()
}
