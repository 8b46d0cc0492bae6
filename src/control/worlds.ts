import { z } from 'zod'
import { seedsOf } from '../life/fixtures.ts'
import { SeedError } from '../life/seed.ts'
import { isSnapshot, type Snapshot } from '../life/snapshots.ts'
import { COLLECTED } from '../sync/expiry.ts'
import { expire } from '../sync/tokens.ts'
import { type Seed, seed } from '../wire/seeds/seed.ts'
import { Misfit, nothing, of, operation } from './operation.ts'
import { which } from './snapshots.ts'

/** What a world begins with: one seed or several, or fixtures by their names. */
const seeds = z.unknown().transform((given, context) => {
  try {
    return seedsOf(given)
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
    return z.NEVER
  }
})
const planted = z.object({ accounts: z.int(), calendars: z.int(), events: z.int() })

const expiring = z.strictObject({
  account: z.email().optional(),
  calendarId: z.string().min(1).optional(),
  collection: z.enum(COLLECTED).optional(),
  afterUses: z.int().min(1).nullable().optional(),
})

/** A world as a whole: what it starts from, what it holds, and its end. */
export const worlds = [
  operation({
    id: 'control.health',
    verb: 'GET',
    path: '/_control/health',
    summary: 'Says that the server answers, and which world.',
    result: z.object({ status: z.literal('ok'), world: z.string() }),
    inProcess: { health: nothing },
    run: ({ name }) => ({ status: 'ok' as const, world: name }),
  }),
  operation({
    id: 'control.reset',
    verb: 'POST',
    path: '/_control/reset',
    summary: 'Takes the world back to what it started from; sync tokens of before answer 410.',
    result: z.object({ reset: planted }),
    inProcess: { reset: nothing },
    run: ({ realm }) => realm.reset(),
    reply: (reset) => ({ reset }),
  }),
  operation({
    id: 'control.seed.add',
    verb: 'POST',
    path: '/_control/seed',
    summary: 'Adds what a seed holds to the world.',
    input: seed,
    example: { accounts: [{ email: 'dana@example.com' }] },
    result: z.object({ added: planted }),
    inProcess: { seed: (seed: Seed) => seed },
    run: ({ realm }, seed) => realm.seed(seed),
    reply: (added) => ({ added }),
  }),
  operation({
    id: 'control.seed.replace',
    verb: 'PUT',
    path: '/_control/seed',
    summary: 'Makes the world what a seed says, and that what a reset goes back to.',
    input: seed,
    example: { accounts: [{ email: 'alice@example.com' }] },
    result: z.object({ replaced: planted }),
    inProcess: { replace: (seed: Seed) => seed },
    run: ({ realm }, seed) => realm.replace(seed),
    reply: (replaced) => ({ replaced }),
  }),
  operation({
    id: 'control.state',
    verb: 'GET',
    path: '/_control/state',
    summary: 'Returns a seed that restores exactly this world.',
    result: seed,
    inProcess: { state: nothing },
    run: ({ realm }) => realm.state(),
  }),
  operation({
    id: 'control.syncTokens.expire',
    verb: 'POST',
    path: '/_control/syncTokens/expire',
    summary:
      'Makes sync tokens answer 410: all handed out so far, or those of an `account`, a `calendarId`, a `collection`; with `afterUses` each from its next use after so many on, and `null` ends that.',
    input: expiring,
    example: { collection: 'events', afterUses: 2 },
    result: z.object({ expired: z.literal(true) }),
    inProcess: { 'syncTokens.expire': (which: z.input<typeof expiring> = {}) => which },
    run: ({ realm: { world } }, { afterUses, ...which }) => expire(world.changes, which, afterUses),
    reply: () => ({ expired: true }),
  }),
  operation({
    id: 'control.worlds.list',
    verb: 'GET',
    path: '/_control/worlds',
    summary: 'Lists the worlds that there are.',
    result: z.object({ worlds: z.array(z.string()) }),
    inProcess: { worlds: nothing },
    run: ({ worlds }) => worlds.names(),
    reply: (worlds) => ({ worlds }),
  }),
  operation({
    id: 'control.worlds.delete',
    verb: 'DELETE',
    path: '/_control/worlds',
    summary: 'Deletes the world that the request names; it begins anew when it is next named.',
    result: z.object({ deleted: z.string() }),
    inProcess: { delete: nothing },
    run: ({ worlds, name }) => worlds.remove(name),
    reply: (_, __, { name }) => ({ deleted: name }),
  }),
  operation({
    id: 'control.worlds.begin',
    verb: 'PUT',
    path: '/_control/worlds/{world}',
    summary:
      'Begins a world in place of one of its name: `from` a snapshot of the world that the request names, or with a `seed`.',
    input: z.strictObject({ world: z.string(), from: which.optional(), seed: seeds.optional() }),
    example: { world: 'w1', from: 'before' },
    result: z.object({ world: z.string() }),
    inProcess: { fork: (from: string | Snapshot, world: string) => ({ from, world }) },
    isKnown: ({ from, world }) => isSnapshot(from) && typeof world === 'string',
    run({ realm, worlds }, { world, from, seed }) {
      if ((from === undefined) === (seed === undefined)) throw new Misfit('from', 'give either from or seed')
      if (seed) worlds.begin(world, seed)
      else
        worlds.begin(
          world,
          of('from', () => realm.snapshots.get(from ?? '')),
        )
    },
    reply: (_, { world }) => ({ world }),
  }),
  operation({
    id: 'control.worlds.end',
    verb: 'DELETE',
    path: '/_control/worlds/{world}',
    summary: 'Deletes the world of a name; it begins anew when it is next named.',
    input: z.strictObject({ world: z.string() }),
    example: { world: 'default' },
    result: z.object({ deleted: z.string() }),
    inProcess: { deleteWorld: (world: string) => ({ world }) },
    run({ worlds }, { world }) {
      if (!worlds.names().includes(world)) throw new Misfit('world', `there is no world ${JSON.stringify(world)}`)
      worlds.remove(world)
    },
    reply: (_, { world }) => ({ deleted: world }),
  }),
] as const
