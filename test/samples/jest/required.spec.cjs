const { createFakeCalendar, SeedError } = require('fake-calendar')

test('a fake answers, by a socket too', async () => {
  const fake = createFakeCalendar({ seed: 'team', now: '2026-03-02T09:00:00Z' })
  const { url } = await fake.listen()
  const near = await fake.request('/_control/health')
  const far = await fetch(`${url}/_control/health`)

  expect([near.status, far.status]).toEqual([200, 200])
  expect(fake.clock.state()).toStrictEqual({ mode: 'frozen', now: '2026-03-02T09:00:00.000Z' })
  expect(() => fake.seed({ accounts: 1 })).toThrow(SeedError)
  expect(await fake.advance('1h')).toStrictEqual([])
  await fake.close()
})
