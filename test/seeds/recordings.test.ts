import { expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, errorOf, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LINK = 'https://plus.google.com/hangouts/_/example.com/lunch'
const seed: Seed = {
  accounts: [{ email: ALICE }],
  calendars: [
    {
      id: ALICE,
      events: [
        { id: 'gone0', status: 'cancelled' },
        { id: 'lunch', ...hour('2026-03-02', 12), hangoutLink: LINK },
      ],
    },
  ],
}

test('14.24.1 a tombstone in a seed is a deleted event', async () => {
  const { fake, as } = openCalendar({ seed })
  const alice = as(ALICE)
  const ids = async (query = '') => (await alice.get(EVENTS + query)).body.items.map(({ id }: { id: string }) => id)
  expect(await ids()).toEqual(['lunch'])
  expect(await ids('?showDeleted=true')).toEqual(expect.arrayContaining(['gone0', 'lunch']))
  expect((await alice.get(`${EVENTS}/gone0`)).body).toMatchObject({ id: 'gone0', status: 'cancelled' })
  expect((await alice.delete(`${EVENTS}/gone0`)).status).toBe(410)
  expect(errorOf(await alice.post(EVENTS, { id: 'gone0', ...hour('2026-03-02', 9) })).reason).toBe('duplicate')
  expect(openCalendar({ seed: fake.state(), now: undefined }).fake.state()).toEqual(fake.state())
})

test('14.24.1 a link of an old call is shown without a conference, and later writes keep it', async () => {
  const alice = openCalendar({ seed }).as(ALICE)
  const { body } = await alice.get(`${EVENTS}/lunch`)
  expect([body.hangoutLink, body.conferenceData]).toEqual([LINK, undefined])
  expect((await alice.patch(`${EVENTS}/lunch`, { summary: 'Lunch' })).body.hangoutLink).toBe(LINK)
  expect((await alice.put(`${EVENTS}/lunch`, hour('2026-03-02', 13))).body.hangoutLink).toBe(LINK)
})
