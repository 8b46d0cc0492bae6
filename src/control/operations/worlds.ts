import { z } from 'zod'
import { ApiError } from '../../schema/apiErrors.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { describeUnknownName } from '../../schema/values/nearest.ts'
import { resolveSeeds } from '../../seeds/fixtures.ts'
import { seed } from '../../seeds/schema/seed.ts'
import { SeedError } from '../../seeds/seedError.ts'
import { expireSyncTokens, SYNCED_LISTS } from '../../sync/tokens.ts'
import type { WorldNames } from '../types/world.ts'
import type { WorldResult } from '../worldResult.ts'
import { formatWorld } from '../worlds/formatWorld.ts'
import type { Snapshot } from '../worlds/snapshots.ts'
import type { World } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'
import { returns, strictShape, toTransform } from './inputs.ts'
import { defineOperation, InvalidInputError, withErrorField } from './operation.ts'
import { snapshotReference } from './snapshots.ts'

const seeds = z.unknown().transform(toTransform((given) => resolveSeeds(given), SeedError))
const seedCounts = z.object({ accounts: z.int(), calendars: z.int(), events: z.int() })

const expiring = strictShape({
  account: z.email().optional(),
  calendarId: z.string().min(1).optional(),
  collection: z.enum(SYNCED_LISTS).optional(),
  afterUses: z.int().min(1).nullable().optional(),
})

const finding = strictShape({
  what: z.enum(['change', 'field', 'answer', 'mail', 'call', 'budget', 'failure', 'attack']),
  text: z.string(),
  weight: z.number().min(0),
  calendarId: z.string().optional(),
  title: z.string().optional(),
  field: z.string().optional(),
  expected: z.unknown().optional(),
  actual: z.unknown().optional(),
})
export const worldResult = strictShape({
  task: z.string().min(1).max(200),
  attempt: z.int().min(1),
  passed: z.boolean(),
  secure: z.boolean().optional(),
  score: z.number().min(0).max(1),
  missing: z.array(finding),
  unexpected: z.array(finding),
  calls: z.int().min(0),
  errors: z.int().min(0),
})

function requireOpenWorld(worlds: Worlds, name: string): World {
  const world = worlds.find(name)
  if (world) return world
  throw new InvalidInputError('world', describeUnknownName(name, worlds.names(), 'world'))
}

const pageSize = z.coerce.number().int().min(1)
const pageToken = z.string().regex(/^\d{1,15}$/, 'not a page token of this list')

function printText(text: string): string {
  console.log(text)
  return text
}

export const worlds = {
  health: defineOperation({
    route: 'GET /health',
    summary: 'Returns the status of the server and the name of the world.',
    result: z.object({ status: z.literal('ok'), world: z.string() }),
    run: ({ name }) => ({ status: 'ok' as const, world: name }),
  }),
  reset: defineOperation({
    route: 'POST /reset',
    summary: 'Resets the world to its initial state. Earlier sync tokens are answered with 410.',
    ...returns({ reset: seedCounts }),
    run: ({ world }) => world.reset(),
  }),
  seed: defineOperation({
    route: 'POST /seed',
    summary: 'Adds a seed to the world.',
    input: seed,
    example: { accounts: [{ email: 'dana@example.com' }] },
    ...returns({ added: seedCounts }),
    run: ({ world }, seed) => world.seed(seed),
  }),
  replace: defineOperation({
    route: 'POST /replace',
    summary: 'Replaces the world with a seed, which also becomes its initial state.',
    input: seed,
    example: { accounts: [{ email: 'alice@example.com' }] },
    ...returns({ replaced: seedCounts }),
    run: ({ world }, seed) => world.replace(seed),
  }),
  state: defineOperation({
    route: 'GET /state',
    summary: 'Returns a seed that restores exactly this world.',
    result: seed,
    run: ({ world }) => world.state(),
  }),
  print: defineOperation({
    route: 'GET /print',
    summary: 'Returns the events of the world as a `text` of at most about a hundred lines, by calendar and day.',
    ...returns({ text: z.string() }),
    prints: true,
    run: ({ world }) => formatWorld(world),
    toResult: printText,
  }),
  'syncTokens.expire': defineOperation({
    route: 'POST /syncTokens/expire',
    summary:
      'Expires sync tokens, which are then answered with 410: all issued so far, or those of an `account`, a `calendarId`, a `collection`. With `afterUses` each is valid so many times; `null` ends that.',
    input: expiring,
    example: { collection: 'events', afterUses: 2 },
    run: ({ world: { data } }, { afterUses, ...which }) => expireSyncTokens(data.changes, which, afterUses),
  }),
  worlds: defineOperation({
    route: 'GET /worlds',
    summary:
      'Lists the worlds in the order of their creation: all, or at most `maxResults`. `pageToken` is the `nextPageToken` of the page before.',
    input: strictShape({ maxResults: pageSize.optional(), pageToken: pageToken.optional() }),
    example: { maxResults: 100 },
    ...returns({ worlds: z.array(z.string()), nextPageToken: z.string().optional() }),
    properties: ['nextPageToken'],
    run({ worlds }, { maxResults = Number.POSITIVE_INFINITY, pageToken = '0' }): WorldNames {
      const { names, last } = worlds.listPage(Number(pageToken), maxResults)
      return withHiddenProperties(names, { nextPageToken: last === undefined ? undefined : String(last) })
    },
    reply: (worlds) => ({ worlds, nextPageToken: worlds.nextPageToken }),
    toResult: ({ nextPageToken }, copied) => withHiddenProperties(copied, { nextPageToken }),
  }),
  delete: defineOperation({
    route: 'DELETE /worlds',
    summary: 'Deletes the world of the request. It is created again when it is next used.',
    run: ({ worlds, name }) => worlds.remove(name),
  }),
  fork: defineOperation({
    route: 'PUT /worlds/{world}',
    summary: 'Creates or replaces a world: `from` a snapshot of the world of the request, or with a `seed`.',
    input: strictShape({ world: z.string(), from: snapshotReference.optional(), seed: seeds.optional() }),
    example: { world: 'w1', from: 'before' },
    toInput: (from: string | Snapshot, world: string) => ({ from, world }),
    opens: 'world',
    run({ world, worlds }, { world: name, from, seed }) {
      if ((from === undefined) === (seed === undefined)) throw new InvalidInputError('from', 'give either from or seed')
      worlds.begin(name, seed ?? withErrorField('from', () => world.snapshots.requireData(from ?? '')))
    },
  }),
  deleteWorld: defineOperation({
    route: 'DELETE /worlds/{world}',
    summary: 'Deletes a world by name. It is created again when it is next used.',
    input: strictShape({ world: z.string() }),
    example: { world: 'default' },
    toInput: (world: string) => ({ world }),
    run({ worlds }, { world }) {
      requireOpenWorld(worlds, world)
      worlds.remove(world)
    },
  }),
  'worlds.rename': defineOperation({
    route: 'POST /worlds/{world}/rename',
    summary:
      'Renames a world. It keeps its data, sync tokens, channels, snapshots, controls and journal. Addresses and tokens with the former name no longer reach it. Rejects the name of another world.',
    input: strictShape({ world: z.string(), to: z.string() }),
    example: { world: 'default', to: 'blue' },
    toInput: (world: string, to: string) => ({ world, to }),
    run({ worlds }, { world, to }) {
      requireOpenWorld(worlds, world)
      if (worlds.find(to)) throw new InvalidInputError('to', `there is already a world ${JSON.stringify(to)}`)
      try {
        worlds.rename(world, to)
      } catch (error) {
        throw error instanceof ApiError ? new InvalidInputError('to', error.message) : error
      }
    },
  }),
  'worlds.setResult': defineOperation({
    route: 'PUT /worlds/{world}/result',
    summary:
      'Sets the result of an attempt of an agent in a world, which the overview and the inspector show. A reset removes it.',
    input: worldResult.extend({ world: z.string() }),
    example: {
      ...{ world: 'default', task: 'Book a lunch', attempt: 1, passed: false, score: 0.5, calls: 4, errors: 0 },
      ...{ missing: [{ what: 'change', text: 'no event was added', weight: 1 }], unexpected: [] },
    },
    toInput: (world: string, result: WorldResult) => ({ ...result, world }),
    run({ worlds }, { world, ...result }) {
      requireOpenWorld(worlds, world).controls.result = result
    },
  }),
}
