import { expect, test } from 'vitest'
import { ALICE, NOW, openCalendar } from '../../support/calendar.ts'

const always = { on: 'colors.get', times: 'always', do: { fail: 'rateLimitExceeded429' } } as const

test.each([{ for: '1m' }, { until: new Date(Date.parse(NOW) + 60_000).toISOString() }])(
  'a fault ends by the world’s clock: %o',
  async (expiry) => {
    const { fake, as } = openCalendar()
    const status = async () => (await as(ALICE).get('/colors')).status
    const before = fake.clock.now()
    fake.clock.freeze(NOW)
    fake.faults.add({ ...always, ...expiry })
    fake.clock.advance('59s')
    expect([await status(), await status()]).toEqual([429, 429])
    expect(fake.faults.list()).toMatchObject([
      { spent: false, until: new Date(Date.parse(NOW) + 60_000).toISOString() },
    ])
    fake.clock.advance('1s')
    expect(await status()).toBe(200)
    expect(fake.faults.list()).toMatchObject([{ spent: true, fired: 2 }])
    expect(before).toBeDefined()
  },
)

test('over HTTP a fault takes for or until, not both, and a fault that ended unused is not verified', async () => {
  const { fake, anonymous } = openCalendar()
  const add = async (expiry: object) => (await anonymous.post('/_control/faults', { ...always, ...expiry })).status
  expect(await add({ for: '1m' })).toBe(200)
  expect(await add({ until: NOW })).toBe(200)
  expect(await add({ for: '1m', until: NOW })).toBe(400)
  expect(await add({ for: 'long' })).toBe(400)
  expect(await add({ until: 'noon' })).toBe(400)
  fake.clock.advance('2m')
  expect(() => fake.faults.verify()).toThrow('never fired')
})
