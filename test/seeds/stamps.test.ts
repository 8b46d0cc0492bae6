import { expect, test } from 'vitest'
import { FIXTURE_NAMES } from '../../src/seeds/fixtures.ts'
import { ALICE, clientOf, openCalendar, PEOPLE } from '../support/calendar.ts'

const START = '2026-03-02T09:00:00.000Z'
const WEEK_BEFORE = '2026-02-23T09:00:00.000Z'
const day = { start: { date: '2026-03-05' }, end: { date: '2026-03-06' } }
const EVENTS = '/calendars/primary/events'

/** A world that begins at `START` with events of alice. Returns a client of alice as well. */
function openWith(events: object[]) {
  const { fake, as } = openCalendar({ now: START, seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } as never })
  return { fake, alice: as(ALICE) }
}

test.each(FIXTURE_NAMES)('14.58 a poll by updatedMin takes no event of the demo world %s for new', async (seed) => {
  const { fake } = openCalendar({ now: START, seed })
  const { accounts = [], calendars = [] } = fake.state()
  const owner = clientOf(fake.request, { Authorization: `Bearer ${accounts[0]?.email}` })
  let events = 0
  for (const { id } of calendars) {
    const path = `/calendars/${encodeURIComponent(id)}/events?showDeleted=true`
    const all = await owner.get(path)
    if (all.status !== 200) continue
    events += all.body.items.length
    expect((await owner.get(`${path}&updatedMin=${START}`)).body.items).toEqual([])
  }
  if (seed !== 'default') expect(events).toBeGreaterThan(5)
})

test('14.58 events of a seed have the order of the seed, and later writes come after them', async () => {
  const { alice } = openWith(['one', 'two', 'three'].map((summary) => ({ summary, ...day })))
  const list = async (query: string) => (await alice.get(`${EVENTS}?orderBy=updated&${query}`)).body
  const { items } = await list('')
  const { nextSyncToken } = (await alice.get(EVENTS)).body
  const etags = items.map(({ etag }: { etag: string }) => etag)

  expect(items).toMatchObject(
    ['one', 'two', 'three'].map((summary) => ({ summary, created: WEEK_BEFORE, updated: WEEK_BEFORE })),
  )
  expect(etags).toEqual([...new Set(etags)].sort())
  const { body } = await alice.patch(`${EVENTS}/${items[0].id}`, { summary: 'first' })
  expect(body).toMatchObject({ created: WEEK_BEFORE, updated: START })
  expect(body.etag > etags[2]).toBe(true)
  expect((await list(`updatedMin=${START}`)).items).toEqual([body])
  expect((await alice.get(`${EVENTS}?syncToken=${nextSyncToken}`)).body.items).toEqual([body])
  expect((await list('')).items.map(({ summary }: { summary: string }) => summary)).toEqual(['two', 'three', 'first'])
})

test('14.58 a seed that is added later is written at the present, and a sync sees it', async () => {
  const { fake, alice } = openWith([])
  const { nextSyncToken } = (await alice.get(EVENTS)).body
  fake.seed({ calendars: [{ id: ALICE, events: [{ summary: 'added', ...day }] }] })

  expect((await alice.get(`${EVENTS}?syncToken=${nextSyncToken}`)).body.items).toMatchObject([
    { summary: 'added', created: START, updated: START },
  ])
})

test.each([
  ['created alone, long ago', { created: '2025-01-01T00:00:00Z' }, ['2025-01-01T00:00:00.000Z', WEEK_BEFORE]],
  [
    'created alone, lately',
    { created: '2026-03-01T00:00:00Z' },
    ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ],
  ['updated alone', { updated: '2026-03-01T01:00:00+01:00' }, [WEEK_BEFORE, '2026-03-01T00:00:00.000Z']],
  [
    'both',
    { created: '2025-01-01T00:00:00.000Z', updated: '2026-02-10T04:05:06.789Z' },
    ['2025-01-01T00:00:00.000Z', '2026-02-10T04:05:06.789Z'],
  ],
  ['updated in the future', { updated: '2027-01-01T00:00:00Z' }, [WEEK_BEFORE, START]],
])('14.58 stamps of a seed: %s', async (_, stamps, shown) => {
  const { fake, alice } = openWith([
    { id: 'dated0', ...day, ...stamps },
    { id: 'plain0', ...day },
  ])
  const read = async () => {
    const { created, updated } = (await alice.get(`${EVENTS}/dated0`)).body
    return [created, updated]
  }
  const [created, updated] = shown
  const idsSince = async (moment: string) =>
    (await alice.get(`${EVENTS}?updatedMin=${moment}`)).body.items.map(({ id }: { id: string }) => id)

  expect((await read()).map((text) => new Date(text).toISOString())).toEqual([created, updated])
  expect(await idsSince(updated as string)).toContain('dated0')
  expect(await idsSince(new Date(Date.parse(updated as string) + 1).toISOString())).not.toContain('dated0')

  const readOrder = async () =>
    (await alice.get(`${EVENTS}?orderBy=updated`)).body.items.map(({ id }: { id: string }) => id)
  const before = [await read(), await readOrder()]
  fake.replace(fake.state())
  expect([await read(), await readOrder()]).toEqual(before)
  expect(before[1]?.[0]).toBe((updated as string) > WEEK_BEFORE ? 'plain0' : 'dated0')
  expect(await idsSince(updated as string)).toContain('dated0')
  expect(await idsSince(new Date(Date.parse(updated as string) + 1).toISOString())).not.toContain('dated0')
})

test('14.58 when the clock is set back, stamps that a seed gave stay, and the others follow', async () => {
  const given = { created: '2024-01-01T00:00:00.000Z', updated: '2024-02-03T04:05:06.789Z' }
  const { fake, alice } = openWith([
    { id: 'plain0', ...day },
    { id: 'dated0', ...day, ...given },
  ])
  fake.clock.set('2026-03-01T09:00:00Z')

  expect((await alice.get(`${EVENTS}/dated0`)).body).toMatchObject(given)
  const dayBefore = '2026-02-22T09:00:00.000Z'
  expect((await alice.get(`${EVENTS}/plain0`)).body).toMatchObject({ created: dayBefore, updated: dayBefore })
})
