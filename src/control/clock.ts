import { z } from 'zod'
import { durationOf, momentOf } from '../time/clock.ts'
import { Misfit, nothing, of, operation } from './operation.ts'

type Instant = Date | string | number

const mode = z.enum(['real', 'set', 'frozen'])
const shown = z.object({ mode, now: z.iso.datetime() })
const moved = shown.extend({
  fired: z.array(z.object({ what: z.string(), at: z.iso.datetime(), error: z.string().optional() })),
})
/** Where the clock was set back behind a client's last write, the moment from which stamps go on. */
const setBack = moved.extend({ stampsFrom: z.iso.datetime().optional() })

/** An instant as JSON can say it. */
const textOf = (instant: Instant): string => new Date(momentOf(instant)).toISOString()
const turned = (mode: 'set' | 'frozen') => (instant?: Instant) => ({
  mode,
  ...(instant !== undefined && { now: textOf(instant) }),
})

/** A world's time. */
export const clock = [
  operation({
    id: 'control.clock.get',
    verb: 'GET',
    path: '/_control/clock',
    summary: "Returns the world's clock.",
    result: shown,
    inProcess: { 'clock.state': nothing },
    run: ({ realm }) => realm.clock.state(),
  }),
  operation({
    id: 'control.clock.set',
    verb: 'PUT',
    path: '/_control/clock',
    summary: "Sets the world's clock: its mode, the instant it shows, or both.",
    input: z.strictObject({ mode: mode.optional(), now: z.string().optional() }),
    example: { mode: 'frozen', now: '2026-03-02T09:00:00Z' },
    result: setBack,
    inProcess: {
      'clock.freeze': turned('frozen'),
      'clock.run': turned('set'),
      'clock.set': (instant: Instant) => ({ now: textOf(instant) }),
      'clock.real': () => ({ mode: 'real' as const }),
    },
    run({ realm }, { mode, now }) {
      const { clock } = realm
      if (mode === undefined && now === undefined) throw new Misfit('now', 'give a mode, an instant or both')
      const instant = of('now', () => momentOf(now ?? clock.now()))
      if (mode === 'real' && now !== undefined) throw new Misfit('now', 'a real clock shows the time that it is')
      const turn = { real: () => clock.real(), set: () => clock.run(instant), frozen: () => clock.freeze(instant) }
      const fired = mode ? turn[mode]() : clock.set(instant)
      realm.followClock()
      return fired
    },
    reply: (fired, _, { realm }) => ({
      fired,
      ...realm.clock.state(),
      ...(realm.stampsFrom && { stampsFrom: realm.stampsFrom }),
    }),
  }),
  operation({
    id: 'control.clock.advance',
    verb: 'POST',
    path: '/_control/clock/advance',
    summary:
      "Moves the world's clock on by a duration or to an instant, waits for the messages that it sends on the way, and returns what fell due.",
    input: z.strictObject({ by: z.union([z.string(), z.number()]).optional(), to: z.string().optional() }),
    example: { by: '1h30m' },
    result: moved,
    inProcess: {
      advance: (by: string | number) => ({ by }),
      advanceTo: (instant: Instant) => ({ to: textOf(instant) }),
    },
    run({ realm }, { by, to }) {
      const { clock } = realm
      if ((by === undefined) === (to === undefined)) throw new Misfit('by', 'give either by or to')
      const instant =
        by === undefined
          ? of('to', () => clock.ahead(to ?? ''))
          : of('by', () => clock.ahead(clock.now() + durationOf(by)))
      return realm.advanceTo(instant)
    },
    reply: (fired, _, { realm }) => ({ fired, ...realm.clock.state() }),
  }),
] as const
