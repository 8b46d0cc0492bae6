import type { Verb } from '../../api/endpoint.ts'
import { calendarFiles } from './calendarFiles.ts'
import { calls } from './calls.ts'
import { clock } from './clock.ts'
import { conferences } from './conferences.ts'
import { faults } from './faults.ts'
import { type ControlRoute, FUNCTIONS, type OperationName, OTHER_ROUTES, type ResultOf } from './functions.ts'
import { history } from './history.ts'
import { mail } from './mail.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'
import type { Operation } from './operation.ts'
import { snapshots } from './snapshots.ts'
import { worlds } from './worlds.ts'

const DEFINITIONS = {
  'A world': worlds,
  Snapshots: snapshots,
  Changes: history,
  'The clock': clock,
  Conferences: conferences,
  Mail: mail,
  'Faults and quota': faults,
  'Push messages': notifications,
  OAuth: oauth,
  Calls: calls,
  'Calendars as files': calendarFiles,
}

type Outcome<N> = N extends 'fork' | 'diff' | 'changes' ? unknown : ResultOf<N>
type Chapters = typeof DEFINITIONS
type Definitions = { [T in keyof Chapters]: (all: Chapters[T]) => void }[keyof Chapters] extends (all: infer I) => void
  ? I
  : never
type Check<D extends { [N in OperationName]: { run(...given: never[]): Outcome<N> } }> = D
export type CheckedDefinitions = Check<Definitions>

const ROUTES: Readonly<Record<string, ControlRoute>> = Object.fromEntries(
  Object.entries({ ...FUNCTIONS, ...OTHER_ROUTES }).filter(([, row]) => 'path' in row),
) as Record<string, ControlRoute>

export const CHAPTERS: Readonly<Record<keyof Chapters, readonly Operation[]>> = Object.fromEntries(
  Object.entries(DEFINITIONS).map(([title, rows]) => [title, Object.entries(rows).map(createOperation)]),
) as Record<keyof Chapters, Operation[]>

function createOperation([name, definition]: [string, object]): Operation {
  const { verb, path, field } = ROUTES[name] as ControlRoute
  return { name, id: `control.${name}`, verb, path: `/_control${path}`, field, ...definition } as Operation
}

export const OPERATIONS: readonly Operation[] = Object.values(CHAPTERS).flat()

type RawRouteRow = { id: `control.${string}`; verb: Verb; path: `/_control/${string}`; summary: string }

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
