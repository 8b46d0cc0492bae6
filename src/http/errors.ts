import { reportFault } from '../model/clock.ts'
import { ApiError, type ErrorItem, errorRowOf, fillMessage, messageOf } from '../schema/apiErrors.ts'
import { type ApiResponse, jsonResponse } from './reply.ts'

/** Parts of a request that the response to an error contains. */
type ErrorContext = {
  /** The time by the world's clock, in epoch milliseconds. */
  now: number
  method?: string
  pretty?: boolean
  scopes?: readonly string[]
  status?: number | undefined
  /** Headers of a fault, in addition to those of the service. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The service's backend (behaviour 2.1.1). */
export const createErrorBody = ({ items }: ApiError, code: number): object => {
  const [first] = items
  return { error: { errors: items.map(toBackendItem), code, message: first ? messageOf(first) : '' } }
}

/** The row of the first item decides the form: OAuth, the API front end, or the backend. */
export function errorResponse(error: ApiError, at: ErrorContext): ApiResponse {
  const [first] = error.items
  if (!first) throw new Error('an error without a fault')
  const { code: own, challenge: template, frontEnd, oauth } = errorRowOf(first)
  const code = at.status ?? own
  const body = oauth
    ? { error: oauth, error_description: messageOf(first) }
    : frontEnd
      ? createFrontEndBody(first, code, at.method)
      : createErrorBody(error, code)
  const challenge = template && fillMessage(template, { scopes: at.scopes?.join(' ') ?? '' })
  return jsonResponse(body, {
    status: code,
    now: at.now,
    cache: 'none',
    indent: at.pretty === false ? 0 : frontEnd || oauth ? 2 : 1,
    headers: { ...(challenge && { 'WWW-Authenticate': challenge }), ...at.headers },
  })
}

/** `notFound`, or the OAuth code such as `invalid_grant`. */
export const findReason = ({ items: [first] }: ApiError): string | undefined =>
  first && (errorRowOf(first).oauth ?? errorRowOf(first).reason)

const createLocationFields = (item: ErrorItem) => {
  const location = fillMessage(errorRowOf(item).location ?? '', item.details)
  return location && { locationType: /^[A-Z]/.test(location) ? 'header' : 'parameter', location }
}

/** Keys are in the backend's order (behaviour 2.1.1). */
function toBackendItem(fault: ErrorItem) {
  const { domain = 'global', reason, extendedHelp } = errorRowOf(fault)
  const help = extendedHelp && { extendedHelp: fillMessage(extendedHelp, fault.details) }
  return { domain, reason, message: messageOf(fault), ...createLocationFields(fault), ...help }
}

const SERVICE = 'calendar-json.googleapis.com'

/** The API front end has another order of keys (behaviour 2.1.2). */
function createFrontEndBody(fault: ErrorItem, code: number, method: string | undefined) {
  const { domain = 'global', reason, extendedHelp, frontEnd } = errorRowOf(fault)
  const { location, locationType } = createLocationFields(fault) || {}
  return {
    error: {
      code,
      message: frontEnd?.message ?? messageOf(fault),
      errors: [
        {
          message: messageOf(fault),
          domain,
          reason,
          ...(location && { location, locationType }),
          ...(extendedHelp && { extendedHelp: fillMessage(extendedHelp, fault.details) }),
        },
      ],
      status: frontEnd?.status,
      ...(frontEnd?.errorInfo && { details: createFrontEndDetails(fault, method) }),
    },
  }
}

function createFrontEndDetails(fault: ErrorItem, method: string | undefined): object[] {
  const { errorInfo, consumer, help } = errorRowOf(fault).frontEnd ?? {}
  const links = help && [{ description: help.description, url: fillMessage(help.url, fault.details) }]
  const about = consumer ? { consumer: fillMessage(consumer, fault.details) } : { method: method && toRpcName(method) }
  return [
    ...(links ? [{ '@type': 'type.googleapis.com/google.rpc.Help', links }] : []),
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: errorInfo,
      domain: 'googleapis.com',
      metadata: { service: SERVICE, ...about },
    },
  ]
}

function toRpcName(method: string): string {
  const [api = '', ...names] = method.split('.')
  return [api, 'v3', ...names.map((name) => name.charAt(0).toUpperCase() + name.slice(1))].join('.')
}

const NOT_FOUND_PAGE = `<!DOCTYPE html>
<html lang=en>
  <meta charset=utf-8>
  <title>Error 404 (Not Found)!!1</title>
  <p><b>404.</b> That’s an error.
  <p>The requested URL was not found on this server.
</html>
`

/** The page for an unknown path or verb (behaviour 2.7). */
export const notFoundPage = (): Response =>
  new Response(NOT_FOUND_PAGE, {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Referrer-Policy': 'no-referrer' },
  })

/**
 * Any other error is unexpected: it is printed to stderr with its `source`, and becomes `backendError` (500), so that
 * no response contains it.
 */
export function toApiError(error: unknown, source: string): ApiError {
  if (error instanceof ApiError) return error
  reportFault(source, error)
  return new ApiError([{ name: 'backendError', details: {} }])
}
