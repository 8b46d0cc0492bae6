import { z } from 'zod'
import { parseDuration, parseInstant } from '../../model/clock.ts'
import { strictShape } from './inputs.ts'
import { defineOperation, InvalidInputError, withErrorField } from './operation.ts'

const mode = z.enum(['real', 'set', 'frozen'])
const clockState = z.object({ mode, now: z.iso.datetime() })
const movedClock = clockState.extend({
  fired: z.array(z.object({ what: z.string(), at: z.iso.datetime(), error: z.string().optional() })),
})
const setClock = movedClock.extend({ stampsFrom: z.iso.datetime().optional() })

export const clock = {
  'clock.state': defineOperation({
    summary: "Returns the world's clock.",
    result: clockState,
    run: ({ world }) => world.clock.state(),
  }),
  'clock.set': defineOperation({
    summary: "Sets the world's clock: its mode, its time, or both.",
    input: strictShape({ mode: mode.optional(), now: z.string().optional() }),
    example: { mode: 'frozen', now: '2026-03-02T09:00:00Z' },
    result: setClock,
    run({ world }, { mode, now }) {
      const { clock } = world
      if (mode === undefined && now === undefined) throw new InvalidInputError('now', 'give a mode, an instant or both')
      const instant = withErrorField('now', () => parseInstant(now ?? clock.now()))
      if (mode === 'real' && now !== undefined)
        throw new InvalidInputError('now', 'a real clock cannot be set; leave out now, or give another mode')
      const turn = { real: () => clock.real(), set: () => clock.run(instant), frozen: () => clock.freeze(instant) }
      const fired = mode ? turn[mode]() : clock.set(instant)
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
    summary:
      "Advances the world's clock by a duration or to an instant, waits for the messages of due tasks, and returns the tasks.",
    input: strictShape({ by: z.union([z.string(), z.number()]).optional(), to: z.string().optional() }),
    example: { by: '1h30m' },
    result: movedClock,
    run({ world }, { by, to }) {
      const { clock } = world
      if ((by === undefined) === (to === undefined)) throw new InvalidInputError('by', 'give either by or to')
      const instant =
        by === undefined
          ? withErrorField('to', () => clock.requireLater(to ?? ''))
          : withErrorField('by', () => clock.requireLater(clock.now() + parseDuration(by)))
      return world.advanceTo(instant)
    },
    reply: (fired, _, { world }) => ({ fired, ...world.clock.state() }),
  }),
}
