import type { Verb } from '../api/endpoint.ts'

type RawRouteRow = { id: `control.${string}`; verb: Verb; path: `/_control/${string}`; summary: string }

/** Routes without a function in process. */
export const RAW_ROUTES = [
  {
    id: 'control.calls.stream',
    verb: 'GET',
    path: '/_control/calls/stream',
    summary:
      'Streams each request as it is answered (server-sent events `call`; the id is its position in the order of recording), and the events `reset` and `restored`. Accepts the filter of the list, and continues after the event `Last-Event-ID` or the call `since`. `changes=true` adds the event `changed` for changes of the world or its controls.',
  },
  {
    id: 'control.overview',
    verb: 'GET',
    path: '/_control/overview',
    summary:
      "Returns the data of the inspector's first page: the accounts of the world, and the size and the last request of each world. It creates no world.",
  },
  {
    id: 'control.openapi',
    verb: 'GET',
    path: '/_control/openapi.json',
    summary: 'Returns an OpenAPI 3.1 document of `/_control`.',
  },
] as const satisfies readonly RawRouteRow[]

export type RawRouteId = (typeof RAW_ROUTES)[number]['id']
