import { reportFault } from '../time/reportFault.ts'
import { type Fault, filled, Refusal, rowOf, said } from '../wire/refusals.ts'
import { type Answer, jsonAnswer, type Made, made } from './reply.ts'

type Place = {
  now: number
  method?: string
  pretty?: boolean
  scopes?: readonly string[]
  /** What is said in place of the refusal's own status, and headers beside its own: those that a fault asks for. */
  status?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

export const errorReply = (refusal: Refusal, at: Place & Made): Response => made(errorAnswer(refusal, at), at)

/** The one place that writes an error. `method` is the id of the method called, as front-end errors name it. */
export function errorAnswer({ faults }: Refusal, at: Place): Answer {
  const [first] = faults
  if (!first) throw new Error('a refusal names a fault')
  const { code: own, frontEnd, oauth } = rowOf(first)
  const code = at.status ?? own
  const body = oauth
    ? { error: oauth, error_description: said(first) }
    : frontEnd
      ? frontEndBody(first, code, at.method)
      : { error: { errors: faults.map(item), code, message: said(first) } }
  const challenge = frontEnd?.challenge && filled(frontEnd.challenge, { scopes: at.scopes?.join(' ') ?? '' })
  return jsonAnswer(body, {
    status: code,
    now: at.now,
    cache: 'none',
    indent: at.pretty === false ? 0 : frontEnd || oauth ? 2 : 1,
    headers: { ...(challenge && { 'WWW-Authenticate': challenge }), ...at.headers },
  })
}

/** What the service calls a refusal; in signing in by the word of OAuth. */
export const reasonOf = ({ faults: [first] }: Refusal): string | undefined =>
  first && (rowOf(first).oauth ?? rowOf(first).reason)

const located = ({ named, details }: Fault) => {
  const location = filled(rowOf({ named, details }).location ?? '', details)
  return location && { locationType: /^[A-Z]/.test(location) ? 'header' : 'parameter', location }
}

/** The backend's order of keys (behaviour 2.1.1). */
function item(fault: Fault) {
  const { domain = 'global', reason, extendedHelp } = rowOf(fault)
  const help = extendedHelp && { extendedHelp: filled(extendedHelp, fault.details) }
  return { domain, reason, message: said(fault), ...located(fault), ...help }
}

const SERVICE = 'calendar-json.googleapis.com'

/** The API front end's order of keys, and its details (behaviour 2.1.2). */
function frontEndBody(fault: Fault, code: number, method: string | undefined) {
  const { domain = 'global', reason, extendedHelp, frontEnd } = rowOf(fault)
  const { location, locationType } = located(fault) || {}
  return {
    error: {
      code,
      message: frontEnd?.message ?? said(fault),
      errors: [
        {
          message: said(fault),
          domain,
          reason,
          ...(location && { location, locationType }),
          ...(extendedHelp && { extendedHelp: filled(extendedHelp, fault.details) }),
        },
      ],
      status: frontEnd?.status,
      ...(frontEnd?.errorInfo && { details: detailsOf(fault, method) }),
    },
  }
}

/** Where to get help, and what a program reads of it. */
function detailsOf(fault: Fault, method: string | undefined): object[] {
  const { errorInfo, consumer, help } = rowOf(fault).frontEnd ?? {}
  const links = help && [{ description: help.description, url: filled(help.url, fault.details) }]
  const about = consumer ? { consumer: filled(consumer, fault.details) } : { method: method && rpcName(method) }
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

/** `calendar.events.list` as front-end errors call it: `calendar.v3.Events.List`. */
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

/** No such path, or not with this verb (behaviour 2.7). */
export const notFoundPage = (): Response =>
  new Response(NOT_FOUND_PAGE, {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Referrer-Policy': 'no-referrer' },
  })

/** An error that nobody foresaw is the service's own: it is told of on stderr, and never in a reply. */
export function refusalOf(error: unknown, asked: string): Refusal {
  if (error instanceof Refusal) return error
  reportFault(asked, error)
  return new Refusal([{ named: 'backendError', details: {} }])
}
