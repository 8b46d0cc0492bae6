import { z } from 'zod'
import { resolveSeeds } from '../../seeds/fixtures.ts'
import { seed } from '../../seeds/schema/seed.ts'
import { SeedError } from '../../seeds/seedError.ts'
import { expireSyncTokens, SYNCED_LISTS } from '../../sync/tokens.ts'
import { isSnapshot } from '../worlds/snapshots.ts'
import { strictShape } from './inputs.ts'
import { defineOperation, describeUnknownWorld, InvalidInputError, withErrorField } from './operation.ts'
import { snapshotReference } from './snapshots.ts'

const seeds = z.unknown().transform((given, context) => {
  try {
    return resolveSeeds(given)
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
    return z.NEVER
  }
})
const seedCounts = z.object({ accounts: z.int(), calendars: z.int(), events: z.int() })

const expiring = strictShape({
  account: z.email().optional(),
  calendarId: z.string().min(1).optional(),
  collection: z.enum(SYNCED_LISTS).optional(),
  afterUses: z.int().min(1).nullable().optional(),
})

export const worlds = {
  health: defineOperation({
    summary: 'Returns the status of the server and the name of the world.',
    result: z.object({ status: z.literal('ok'), world: z.string() }),
    run: ({ name }) => ({ status: 'ok' as const, world: name }),
  }),
  reset: defineOperation({
    summary: 'Resets the world to its initial state. Earlier sync tokens are answered with 410.',
    result: z.object({ reset: seedCounts }),
    run: ({ world }) => world.reset(),
  }),
  seed: defineOperation({
    summary: 'Adds a seed to the world.',
    input: seed,
    example: { accounts: [{ email: 'dana@example.com' }] },
    result: z.object({ added: seedCounts }),
    run: ({ world }, seed) => world.seed(seed),
  }),
  replace: defineOperation({
    summary: 'Replaces the world with a seed, which also becomes its initial state.',
    input: seed,
    example: { accounts: [{ email: 'alice@example.com' }] },
    result: z.object({ replaced: seedCounts }),
    run: ({ world }, seed) => world.replace(seed),
  }),
  state: defineOperation({
    summary: 'Returns a seed that restores exactly this world.',
    result: seed,
    run: ({ world }) => world.state(),
  }),
  'syncTokens.expire': defineOperation({
    summary:
      'Expires sync tokens, which are then answered with 410: all issued so far, or those of an `account`, a `calendarId`, a `collection`. With `afterUses` each is valid so many times; `null` ends that.',
    input: expiring,
    example: { collection: 'events', afterUses: 2 },
    result: z.object({ expired: z.literal(true) }),
    run: ({ world: { data } }, { afterUses, ...which }) => expireSyncTokens(data.changes, which, afterUses),
    reply: () => ({ expired: true }),
  }),
  worlds: defineOperation({
    summary: 'Lists the worlds.',
    result: z.object({ worlds: z.array(z.string()) }),
    run: ({ worlds }) => worlds.names(),
  }),
  delete: defineOperation({
    summary: 'Deletes the world of the request. It is created again when it is next used.',
    result: z.object({ deleted: z.string() }),
    run: ({ worlds, name }) => worlds.remove(name),
    reply: (_, __, { name }) => ({ deleted: name }),
  }),
  fork: defineOperation({
    summary: 'Creates or replaces a world: `from` a snapshot of the world of the request, or with a `seed`.',
    input: strictShape({ world: z.string(), from: snapshotReference.optional(), seed: seeds.optional() }),
    example: { world: 'w1', from: 'before' },
    result: z.object({ world: z.string() }),
    isValid: ({ from, world }) => isSnapshot(from) && typeof world === 'string',
    run({ world, worlds }, { world: name, from, seed }) {
      if ((from === undefined) === (seed === undefined)) throw new InvalidInputError('from', 'give either from or seed')
      if (seed) worlds.begin(name, seed)
      else
        worlds.begin(
          name,
          withErrorField('from', () => world.snapshots.requireData(from ?? '')),
        )
    },
    reply: (_, { world }) => ({ world }),
  }),
  deleteWorld: defineOperation({
    summary: 'Deletes a world by name. It is created again when it is next used.',
    input: strictShape({ world: z.string() }),
    example: { world: 'default' },
    result: z.object({ deleted: z.string() }),
    run({ worlds }, { world }) {
      if (!worlds.names().includes(world)) throw new InvalidInputError('world', describeUnknownWorld(world, worlds))
      worlds.remove(world)
    },
    reply: (_, { world }) => ({ deleted: world }),
  }),
}
