import { runWithWorld } from '../control/currentWorld.ts'
import { createFunctions } from '../control/inProcess.ts'
import { withErrorField } from '../control/operations/operation.ts'
import type { Agent, AttemptOptions, AttemptResult, LoadAttempts } from '../control/types/attempts.ts'
import { checkOptions, type FakeCalendarOptions } from '../control/types/options.ts'
import type { AgentTask } from '../control/types/task.ts'
import type { Control, FakeClock, FakeWorld } from '../control/types/world.ts'
import type { Snapshot } from '../control/worlds/snapshots.ts'
import type { World } from '../control/worlds/world.ts'
import { attachWorld } from '../control/worlds/world.ts'
import type { Fired } from '../model/clock.ts'
import { ApiError } from '../schema/apiErrors.ts'
import { runForCaller } from '../schema/values/callerStack.ts'
import { resolveSeeds } from '../seeds/fixtures.ts'
import { dispatch } from './app.ts'
import { unlessAborted } from './faults.ts'
import type { Transport } from './requestContext.ts'
import { type Address, DEFAULT_WORLD, ORIGIN, Server } from './server.ts'

/**
 * A fake of the Google Calendar API v3 in memory. Its own requests go to the world `default`, unless they name another.
 */
export interface FakeCalendar extends FakeWorld {
  /**
   * Returns another world, which is created from the same seed when it is first used. Throws a RangeError for a world
   * that is not allowed, and for an invalid name. A name has 1 to 64 letters, digits, dots, dashes or underscores.
   */
  world(name: string): FakeWorld
  /**
   * Listens on a port (any free one for 0, the default) of both loopback addresses, unless another host is given.
   * Rejects with an Error if the port is in use.
   */
  listen(options?: { port?: number; host?: string }): Promise<Address>
  /**
   * Lets an agent work on a task in a world of its own, and grades what changed there and what the agent returned. Resolves
   * to the result also if the agent throws or takes too long. Rejects with a RangeError that names the wrong field of a task.
   */
  evaluate(task: AgentTask, agent: Agent, options?: AttemptOptions): Promise<AttemptResult>
  close(): Promise<void>
}

/** The options are those of a fake. Its creation throws a SeedError for an invalid seed, and a TypeError for an unknown option. */
export type CreateFakeCalendar = (options?: FakeCalendarOptions) => FakeCalendar

/** Returns the function that creates fakes. `loadAttempts` loads the module of a folder above that makes attempts of agents. */
export function composeFakeCalendar(loadAttempts: LoadAttempts): CreateFakeCalendar {
  return function createFakeCalendar(options = {}) {
    return runForCaller(createFakeCalendar, () => createFake(options, loadAttempts))
  }
}

function createFake(options: FakeCalendarOptions, loadAttempts: LoadAttempts): FakeCalendar {
  const {
    seed = 'default',
    strict,
    anonymous,
    webhooks = 'loopback',
    conferences: policy,
    ...rest
  } = checkOptions(options)
  const seeds = resolveSeeds(seed)
  const auth = { mode: strict ? 'strict' : 'open', anonymous } as const
  const conferences = typeof policy === 'string' ? { mode: policy } : policy
  const server = new Server({ ...rest, seeds, auth, webhooks, conferences, loadAttempts })
  return Object.assign(createWorldHandle(server, DEFAULT_WORLD, {}), {
    world: function world(name: string) {
      runForCaller(world, () => withRangeError(() => server.requireAllowedName(name)))
      return createWorldHandle(server, name, { named: name })
    },
    evaluate: async (task, agent, options) => (await server.attempts()).evaluate(task, agent, options),
    listen: function listen(options) {
      return runForCaller(listen, () => server.listen(options))
    },
    close: () => server.close(),
  } satisfies Omit<FakeCalendar, keyof FakeWorld>)
}

const isRequest = (input: string | URL | Request): input is Request => typeof input === 'object' && 'headers' in input

const isForeignRequest = (request: Request): boolean => !request.signal || 'compress' in request

/** A `Request` of this platform, so that its body is a web stream and it has a signal. */
async function toRequest(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(url, { method, headers: [...headers], signal, body })
}

/**
 * The world is created when the handle is first used, and again after it was deleted. Functions throw a RangeError if the
 * name is invalid or not allowed.
 */
function createWorldHandle(server: Server, name: string, transport: Transport): FakeWorld {
  let isNameChecked = false
  const runInWorld = <R>(act: (world: World) => R): R => {
    if (!isNameChecked) withRangeError(() => server.requireAllowedName(name))
    isNameChecked = true
    return server.runIn(name, act)
  }
  const fetch: FakeWorld['fetch'] = async (input, init) => {
    const known = isRequest(input) && isForeignRequest(input) ? await toRequest(input) : input
    const request = isRequest(known) && !init ? known : new Request(known, init)
    const isOurs = !isRequest(input) && !init?.signal
    return isOurs
      ? dispatch(server, request, transport)
      : unlessAborted(request, () => dispatch(server, request, transport))
  }
  const control = createFunctions(
    (act) => runInWorld((world) => act({ world, worlds: server, attempts: () => server.attempts(), name })),
    {
      clock: (clock) => withSynchronousClock(clock, runInWorld),
      fork: (original) =>
        function fork(from: string | Snapshot, world: string) {
          runForCaller(fork, () => withRangeError(() => original(from, world)))
          return createWorldHandle(server, world, { named: world })
        },
    },
  )
  const handle: FakeWorld = Object.assign(control, {
    name,
    fetch,
    request: (path, init) => fetch(new URL(path, ORIGIN), init),
    async mcp({ as }) {
      const { connectInProcess } = await import('../mcp/gateway.ts')
      return connectInProcess((init) => fetch(`${ORIGIN}/mcp/v1`, withToken(init, as)))
    },
    onNotification: (receiver) => runInWorld(({ notifications }) => notifications.receive(receiver)),
    run: (act) => runWithWorld(handle, act),
    async ui() {
      withRangeError(() => server.requireAllowedName(name))
      return server.ui(name)
    },
  } satisfies Omit<FakeWorld, keyof Control>) as unknown as FakeWorld
  return attachWorld(handle, () => runInWorld((world) => world))
}

const withToken = <T extends { headers: Record<string, string> }>(init: T, token: string): T => ({
  ...init,
  headers: { ...init.headers, Authorization: `Bearer ${token}` },
})

function withRangeError<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof ApiError ? new RangeError(error.message) : error
  }
}

/** Its moves return the tasks at once, without waiting for messages. */
const withSynchronousClock = (
  clock: Omit<FakeClock, 'mode' | 'now' | 'advance' | 'advanceTo'>,
  runInWorld: <R>(act: (world: World) => R) => R,
): FakeClock => {
  /** Open pages follow the clock. */
  const move = (field: string, act: (world: World) => Fired[]): Fired[] =>
    runInWorld((world) => {
      const fired = withErrorField(field, () => act(world))
      world.controls.journal.notify('changed')
      return fired
    })
  return {
    ...clock,
    get mode() {
      return runInWorld((world) => world.clock.mode)
    },
    now: () => runInWorld((world) => world.clock.now()),
    advance: function advance(duration) {
      return runForCaller(advance, () => move('by', (world) => world.clock.advance(duration)))
    },
    advanceTo: function advanceTo(instant) {
      return runForCaller(advanceTo, () => move('to', (world) => world.clock.advanceTo(instant)))
    },
  }
}
