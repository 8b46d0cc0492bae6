import type { Context } from 'hono'
import type { Verb } from '../http/endpoint.ts'
import type { Realm } from '../life/realm.ts'

/** What a route is asked with, whatever app it stands in. */
export type Beside = {
  c: Context
  query: URLSearchParams
  now(): number
  visit(act: (realm: Realm) => Promise<Response>): Promise<Response>
}

type Row = { id: `control.${string}`; verb: Verb; path: `/_control/${string}`; summary: string }

/** What there is by a route alone: a process has the functions, and types in place of a document. */
export const BESIDE = [
  {
    id: 'control.calls.stream',
    verb: 'GET',
    path: '/_control/calls/stream',
    summary:
      'Streams each request as it is answered (server-sent events `call`, with its number as the id), and `reset` or `restored`; takes what the list takes, and goes on after `Last-Event-ID` or `since`.',
  },
  {
    id: 'control.openapi',
    verb: 'GET',
    path: '/_control/openapi.json',
    summary: 'Describes all that is under `/_control`, as an OpenAPI 3.1 document.',
  },
] as const satisfies readonly Row[]
