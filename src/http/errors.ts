import { reportFault } from '../model/clock.ts'
import { ApiError, type ErrorItem, errorRowOf, fillMessage, messageOf } from '../schema/apiErrors.ts'
import { type ApiResponse, jsonResponse } from './reply.ts'

type ErrorContext = {
  now: number
  method?: string
  pretty?: boolean
  scopes?: readonly string[]
  /** The status and headers that a fault asks for. */
  status?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** The envelope of an error of the backend (behaviour 2.1.1). */
export const errorBody = ({ items }: ApiError, code: number): object => {
  const [first] = items
  return { error: { errors: items.map(toItem), code, message: first ? messageOf(first) : '' } }
}

/** Formats an error. `method` is the id of the method, which front-end errors contain. */
export function errorResponse(error: ApiError, at: ErrorContext): ApiResponse {
  const [first] = error.items
  if (!first) throw new Error('an error without a fault')
  const { code: own, frontEnd, oauth } = errorRowOf(first)
  const code = at.status ?? own
  const body = oauth
    ? { error: oauth, error_description: messageOf(first) }
    : frontEnd
      ? frontEndBody(first, code, at.method)
      : errorBody(error, code)
  const challenge = frontEnd?.challenge && fillMessage(frontEnd.challenge, { scopes: at.scopes?.join(' ') ?? '' })
  return jsonResponse(body, {
    status: code,
    now: at.now,
    cache: 'none',
    indent: at.pretty === false ? 0 : frontEnd || oauth ? 2 : 1,
    headers: { ...(challenge && { 'WWW-Authenticate': challenge }), ...at.headers },
  })
}

/** Returns the reason of an error, for OAuth its error code. */
export const reasonOf = ({ items: [first] }: ApiError): string | undefined =>
  first && (errorRowOf(first).oauth ?? errorRowOf(first).reason)

/** Returns the `location` fields of an error; none if its row has no location. */
const locationOf = (item: ErrorItem) => {
  const location = fillMessage(errorRowOf(item).location ?? '', item.details)
  return location && { locationType: /^[A-Z]/.test(location) ? 'header' : 'parameter', location }
}

/** The backend's order of keys (behaviour 2.1.1). */
function toItem(fault: ErrorItem) {
  const { domain = 'global', reason, extendedHelp } = errorRowOf(fault)
  const help = extendedHelp && { extendedHelp: fillMessage(extendedHelp, fault.details) }
  return { domain, reason, message: messageOf(fault), ...locationOf(fault), ...help }
}

const SERVICE = 'calendar-json.googleapis.com'

/** The API front end's order of keys, and its details (behaviour 2.1.2). */
function frontEndBody(fault: ErrorItem, code: number, method: string | undefined) {
  const { domain = 'global', reason, extendedHelp, frontEnd } = errorRowOf(fault)
  const { location, locationType } = locationOf(fault) || {}
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
      ...(frontEnd?.errorInfo && { details: detailsOf(fault, method) }),
    },
  }
}

/** Returns the help links and the ErrorInfo of a front-end error. */
function detailsOf(fault: ErrorItem, method: string | undefined): object[] {
  const { errorInfo, consumer, help } = errorRowOf(fault).frontEnd ?? {}
  const links = help && [{ description: help.description, url: fillMessage(help.url, fault.details) }]
  const about = consumer ? { consumer: fillMessage(consumer, fault.details) } : { method: method && rpcName(method) }
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

/** Converts `calendar.events.list` to the name in front-end errors: `calendar.v3.Events.List`. */
function rpcName(method: string): string {
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

/** Converts an unexpected error to a 500 of the service. It is reported on stderr and never in a response. */
export function toApiError(error: unknown, source: string): ApiError {
  if (error instanceof ApiError) return error
  reportFault(source, error)
  return new ApiError([{ name: 'backendError', details: {} }])
}
