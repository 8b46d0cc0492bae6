import { z } from 'zod'
import { SeedError } from '../life/seed.ts'
import { durationOf, type Fired, momentOf } from '../store/clock.ts'
import { refuse } from '../wire/refusals.ts'
import { seed } from '../wire/seed.ts'
import { conferences } from './conferences.ts'
import { type ControlEndpoint, control, timely } from './endpoint.ts'
import { mail } from './mail.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'

const clockBody = z.strictObject({ mode: z.enum(['real', 'set', 'frozen']).optional(), now: z.string().optional() })
const advanceBody = z.strictObject({ by: z.union([z.string(), z.number()]).optional(), to: z.string().optional() })

/** A seed that cannot be planted is a bad request that says where it is wrong. */
const planting = <T>(act: () => T): T => {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    return refuse('badControlRequest', { problem: error.message })
  }
}

const CONTROL: readonly ControlEndpoint[] = [
  control({
    id: 'control.health',
    verb: 'GET',
    path: '/_control/health',
    summary: 'Says that the server answers, and which world.',
    handle: ({ name }) => ({ status: 'ok', world: name }),
  }),
  control({
    id: 'control.reset',
    verb: 'POST',
    path: '/_control/reset',
    summary: 'Takes the world back to what it started from.',
    handle: ({ realm }) => ({ reset: realm.reset() }),
  }),
  control({
    id: 'control.seed.add',
    verb: 'POST',
    path: '/_control/seed',
    summary: 'Adds what a seed holds to the world.',
    body: seed,
    handle: ({ realm, body }) => planting(() => ({ added: realm.seed(body) })),
  }),
  control({
    id: 'control.seed.replace',
    verb: 'PUT',
    path: '/_control/seed',
    summary: 'Makes the world what a seed says.',
    body: seed,
    handle: ({ realm, body }) => planting(() => ({ replaced: realm.replace(body) })),
  }),
  control({
    id: 'control.state',
    verb: 'GET',
    path: '/_control/state',
    summary: 'Returns a seed that restores exactly this world.',
    handle: ({ realm }) => realm.state(),
  }),
  control({
    id: 'control.clock.get',
    verb: 'GET',
    path: '/_control/clock',
    summary: "Returns the world's clock.",
    handle: ({ realm }) => realm.clock.state(),
  }),
  control({
    id: 'control.clock.set',
    verb: 'PUT',
    path: '/_control/clock',
    summary: "Sets the world's clock: its mode, the instant it shows, or both.",
    body: clockBody,
    handle: ({ realm: { clock }, body: { mode, now } }) => {
      if (mode === undefined && now === undefined)
        refuse('invalidValue', { field: 'now', problem: 'give a mode, an instant or both' })
      const instant = timely('now', () => momentOf(now ?? clock.now()))
      const turned = { real: () => clock.real(), set: () => clock.run(instant), frozen: () => clock.freeze(instant) }
      if (mode === 'real' && now !== undefined)
        refuse('invalidValue', { field: 'now', problem: 'a real clock shows the time that it is' })
      return { ...firedAt(mode ? turned[mode]() : clock.set(instant)), ...clock.state() }
    },
  }),
  control({
    id: 'control.clock.advance',
    verb: 'POST',
    path: '/_control/clock/advance',
    summary: "Moves the world's clock on by a duration or to an instant, and returns what fell due on the way.",
    body: advanceBody,
    handle: async ({ realm, body: { by, to } }) => {
      const { clock } = realm
      if ((by === undefined) === (to === undefined))
        refuse('invalidValue', { field: 'by', problem: 'give either by or to' })
      const instant =
        by === undefined
          ? timely('to', () => clock.ahead(to ?? ''))
          : timely('by', () => clock.ahead(clock.now() + durationOf(by)))
      return { ...firedAt(await realm.advanceTo(instant)), ...clock.state() }
    },
  }),
  control({
    id: 'control.syncTokens.expire',
    verb: 'POST',
    path: '/_control/syncTokens/expire',
    summary: 'Makes every sync token handed out so far answer 410.',
    handle: ({ realm }) => {
      realm.world.changes.forget()
      return { expired: true }
    },
  }),
  ...conferences,
  ...oauth,
  ...mail,
  control({
    id: 'control.worlds.list',
    verb: 'GET',
    path: '/_control/worlds',
    summary: 'Lists the worlds that there are.',
    handle: ({ worlds }) => ({ worlds: worlds.names() }),
  }),
  control({
    id: 'control.worlds.delete',
    verb: 'DELETE',
    path: '/_control/worlds',
    summary: 'Deletes the world that the request names.',
    handle: ({ worlds, name }) => {
      worlds.remove(name)
      return { deleted: name }
    },
  }),
  ...notifications,
]

const firedAt = (fired: Fired[]) => ({ fired })

export { CONTROL as control }
