import { createFakeCalendar } from '../../dist/index.js'
import { median, timed } from './median.js'
import { call, filled } from './world.js'

/** Microseconds of a fake of one's own for a test: open, one request, close. */
export async function freshFake() {
  const taken = await timed(
    2000,
    async () => {
      const fake = createFakeCalendar()
      await call(fake, '/users/me/calendarList')
      await fake.close()
    },
    500,
  )
  return median(taken) * 1000
}

/** Microseconds of taking a world with so many events back to its start. */
export async function reset(count) {
  const fake = filled(count)
  const taken = await timed(200, () => fake.reset(), 50)
  await fake.close()
  return median(taken) * 1000
}
