import type { Verb } from '../api/endpoint.ts'

type RawRouteRow = { id: `control.${string}`; verb: Verb; path: `/_control/${string}`; summary: string }

/** Routes without a function in process. */
export const RAW_ROUTES = [
  {
    id: 'control.calls.stream',
    verb: 'GET',
    path: '/_control/calls/stream',
    summary:
      'Streams each request as it is answered (server-sent events `call`, with its number as the id), and `reset` or `restored`; takes the filter of the list, and continues after `Last-Event-ID` or `since`. With `changes=true` also `changed`, whenever the world or its controls changed.',
  },
  {
    id: 'control.overview',
    verb: 'GET',
    path: '/_control/overview',
    summary:
      'Returns what the inspector shows first: the accounts of the world, and the size and the last request of each world. It creates no world.',
  },
  {
    id: 'control.openapi',
    verb: 'GET',
    path: '/_control/openapi.json',
    summary: 'Returns an OpenAPI 3.1 document of all that is under `/_control`.',
  },
] as const satisfies readonly RawRouteRow[]

export type RawRouteId = (typeof RAW_ROUTES)[number]['id']
