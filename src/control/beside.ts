import type { Context } from 'hono'
import type { Verb } from '../api/endpoint.ts'
import type { Realm } from '../life/realm.ts'
import type { Worlds } from './operation.ts'

/** What a route is asked with, whatever app it stands in. */
export type Beside = {
  c: Context
  query: URLSearchParams
  now(): number
  /** Which world it is for, and those that there are. */
  name: string
  worlds: Pick<Worlds, 'names' | 'realm'>
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
      'Streams each request as it is answered (server-sent events `call`, with its number as the id), and `reset` or `restored`; takes what the list takes, and goes on after `Last-Event-ID` or `since`. With `changes=true` also `changed`, whenever the world or what is set up around it was changed in whatever way.',
  },
  {
    id: 'control.overview',
    verb: 'GET',
    path: '/_control/overview',
    summary:
      'Says what the inspector begins with: who is in the world, and how much there is in each one and when it was last asked. No world begins with it.',
  },
  {
    id: 'control.openapi',
    verb: 'GET',
    path: '/_control/openapi.json',
    summary: 'Describes all that is under `/_control`, as an OpenAPI 3.1 document.',
  },
] as const satisfies readonly Row[]
