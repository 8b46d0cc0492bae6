import { createFakeCalendar } from '../../dist/index.js'
import { median, timed } from './median.js'
import { call, createFilled } from './world.js'

/** Microseconds of a fake of one's own for a test: open, one request, close. */
export async function freshFake() {
  const durations = await timed(
    2000,
    async () => {
      const fake = createFakeCalendar()
      await call(fake, '/users/me/calendarList')
      await fake.close()
    },
    500,
  )
  return median(durations) * 1000
}

/** Microseconds of taking a world with so many events back to its start, after so many changes. */
export const reset = (count, changes) => afterChanges(count, changes, (fake) => fake.reset())

/** Microseconds of taking it back to a snapshot. */
export const restore = (count, changes) => afterChanges(count, changes, (fake, before) => fake.restore(before))

/** Microseconds of beginning another world with a snapshot of it. */
export const fork = (count, changes) =>
  afterChanges(count, changes, (fake, before, run) => fake.fork(run % 2 ? before : fake.snapshot(), `w${run}`))

/** Microseconds of telling what has changed since a snapshot. */
export const diff = (count, changes) =>
  afterChanges(count, changes, (fake, before) => {
    if (fake.diff(before).length !== changes) throw new Error('a change is missing')
  })

async function afterChanges(count, changes, act) {
  const fake = createFilled(count)
  const before = fake.snapshot()
  const durations = []
  for (let run = -50; run < 200; run++) {
    for (let nth = 0; nth < changes; nth++) {
      const id = `event${String(nth).padStart(6, '0')}`
      const body = JSON.stringify({ summary: `Changed ${run}` })
      await call(fake, `/calendars/primary/events/${id}`, { method: 'PATCH', body })
    }
    const start = performance.now()
    act(fake, before, run + 50)
    if (run >= 0) durations.push(performance.now() - start)
  }
  await fake.close()
  return median(durations) * 1000
}
