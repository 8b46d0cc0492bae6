import { z } from 'zod'
import type { Instant } from '../types/world.ts'
import { duration, instant, strictShape, toInstantText } from './inputs.ts'
import { defineOperation, InvalidInputError, withErrorField } from './operation.ts'

const mode = z.enum(['real', 'set', 'frozen'])
const clockState = z.object({ mode, now: z.iso.datetime() })
const movedClock = clockState.extend({
  fired: z.array(z.object({ what: z.string(), at: z.iso.datetime(), error: z.string().optional() })),
})
const toBy = (by: string | number) => ({ by: by ?? String(by) })
const toTarget = (instant: Instant) => ({ to: toInstantText(instant ?? String(instant)) })

export const clock = {
  'clock.state': defineOperation({
    route: 'GET /clock',
    summary: "Returns the world's clock.",
    also: { 'clock.now': () => undefined },
    result: clockState,
    results: { 'clock.now': ({ now }: { now: string }) => Date.parse(now) },
    run: ({ world }) => world.clock.state(),
  }),
  'clock.set': defineOperation({
    route: 'PUT /clock',
    summary: "Sets the world's clock: its mode, its time, or both.",
    input: strictShape({ mode: mode.optional(), now: instant.optional() }),
    example: { mode: 'frozen', now: '2026-03-02T09:00:00Z' },
    toInput: (now: Instant) => ({ now: toInstantText(now) }),
    also: {
      'clock.freeze': (now?: Instant) => ({ mode: 'frozen', now: toInstantText(now) }),
      'clock.run': (now?: Instant) => ({ mode: 'set', now: toInstantText(now) }),
      'clock.real': () => ({ mode: 'real' }),
    },
    result: movedClock.extend({ stampsFrom: z.iso.datetime().optional() }),
    field: 'fired',
    run({ world }, { mode, now }) {
      const { clock } = world
      if (mode === undefined && now === undefined) throw new InvalidInputError('now', 'give a mode, an instant or both')
      if (mode === 'real' && now !== undefined)
        throw new InvalidInputError('now', 'a real clock cannot be set; leave out now, or give another mode')
      const time = now ?? clock.now()
      const turn = { real: () => clock.real(), set: () => clock.run(time), frozen: () => clock.freeze(time) }
      const fired = mode ? turn[mode]() : clock.set(time)
      world.followClock()
      return fired
    },
    reply: (fired, _, { world }) => ({
      fired,
      ...world.clock.state(),
      ...(world.stampsFrom && { stampsFrom: world.stampsFrom }),
    }),
  }),
  advance: defineOperation({
    route: 'POST /clock/advance',
    summary:
      "Advances the world's clock by a duration or to an instant, waits for the messages of due tasks, and returns the tasks.",
    input: strictShape({ by: duration.optional(), to: instant.optional() }),
    example: { by: '1h30m' },
    toInput: toBy,
    also: { 'clock.advance': toBy, advanceTo: toTarget, 'clock.advanceTo': toTarget },
    result: movedClock,
    field: 'fired',
    run({ world }, { by, to }) {
      if ((by === undefined) === (to === undefined)) throw new InvalidInputError('by', 'give either by or to')
      const target = to ?? world.clock.now() + (by ?? 0)
      return world.advanceTo(withErrorField(by === undefined ? 'to' : 'by', () => world.clock.requireLater(target)))
    },
    reply: (fired, _, { world }) => ({ fired, ...world.clock.state() }),
  }),
}
