import { expect, test } from 'vitest'
import { openCalendar } from '../support/calendar.ts'
import { captured, seen, worldOf } from './world.ts'

const team = () => openCalendar({ seed: 'team', now: '2026-01-05T12:00:00Z' })

test.each(['alice', 'bob', 'chiyo', 'dana'])(
  'what %s@example.com sees of the team comes back the same',
  async (name) => {
    const email = `${name}@example.com`
    const there = team()
    const { seed, left } = await captured(there.fake, [email])
    const back = worldOf(seed)

    expect(left).toEqual([])
    expect(await seen(back, email)).toEqual(await seen(there, email))
  },
)

test('several accounts come back the same together, each guest with their own words about a meeting', async () => {
  const emails = ['alice', 'bob', 'chiyo', 'dana'].map((name) => `${name}@example.com`)
  const there = team()
  const call = '/calendars/primary/events/calltokio'
  const own = { colorId: '4', transparency: 'transparent', extendedProperties: { private: { prep: 'tea' } } }
  const mine = { ...own, reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 3 }] } }
  expect((await there.as('chiyo@example.com').patch(call, mine)).status).toBe(200)
  const { seed, left } = await captured(there.fake, emails)
  const back = worldOf(seed)

  expect(left).toEqual([])
  expect((await back.as('chiyo@example.com').get(call)).body).toMatchObject(mine)
  for (const email of emails) {
    // Of a calendar that several see the reminders are those of whoever sees most of it.
    const plain = async (world: typeof back) =>
      JSON.parse(JSON.stringify(await seen(world, email)), (key, value) => (key === 'reminders' ? undefined : value))
    expect(await plain(back)).toEqual(await plain(there))
  }
})
