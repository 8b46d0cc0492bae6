import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar } from '../../support/calendar.ts'

/** Recorded changes of changed instances that inherit a change of their series (behaviour 4.6.1). */
const EVENTS = '/calendars/primary/events'
const DAILY = { id: 'series', summary: 'Daily', ...hour('2026-03-09', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
const MOVED = 'series_20260310T130000Z'

/** Creates a series with one exception, which has another location. */
async function series(more: object = {}) {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  expect((await alice.post(EVENTS, { ...DAILY, ...more })).status).toBe(200)
  const patch = async (body: object, id = 'series') =>
    expect((await alice.patch(`${EVENTS}/${id}`, body)).status).toBe(200)
  await patch({ location: 'Room 1' }, MOVED)
  const latest = () => fake.changes().at(-1)?.revision ?? 0
  return { fake, alice, patch, latest, since: latest(), before: fake.snapshot('before') }
}

const BOTH = ['event "Weekly" of alice@example.com, 2026-03-09T09:00:00-04:00: summary "Daily" → "Weekly"', 'event "Weekly" of alice@example.com, 2026-03-10T09:00:00-04:00: summary "Daily" → "Weekly"'] // biome-ignore format: two lines

test.each([
  ['alone', {}],
  ['with guests', { attendees: [{ email: BOB }] }],
])('an instance changes with its series: a series %s', async (_, more) => {
  const { fake, patch, before, since } = await series(more)
  await patch({ summary: 'Weekly' })

  expect(fake.diff(before).text.split('\n')).toEqual(BOTH)
  expect(fake.diff(since).text.split('\n')).toEqual(BOTH)
  expect(fake.fork(before, 'other').diff(fake).map(({ id }) => id).sort()).toEqual([MOVED, 'series'].sort()) // biome-ignore format: one line
  expect(() => fake.diff(before).verify([{ id: 'series' }])).toThrow(
    `expected no other change; there is 1 other change:\n  ${BOTH[1]}`,
  )
  const [write, ...none] = fake.changes({ since, calendarId: ALICE, id: MOVED })
  expect(none).toEqual([])
  expect(write).toMatchObject({ change: 'changed', fields: { summary: ['Daily', 'Weekly'] }, by: ALICE })
  expect(write?.call).toBe(fake.calls('events.patch').at(-1)?.n)
})

test('an exception keeps its own field when its series gets the same value', async () => {
  const { fake, patch, before, since } = await series()
  await patch({ location: 'Room 1' })
  expect(fake.diff(before).map(({ id }) => id)).toEqual(['series'])
  expect(fake.diff(since).map(({ id }) => id)).toEqual(['series'])
  await patch({ summary: 'Weekly' })
  await patch({ summary: 'Own' }, MOVED)
  await patch({ summary: 'Monthly' })

  expect(fake.changes({ id: MOVED, since }).map(({ fields }) => fields)).toEqual([
    { summary: ['Daily', 'Weekly'] },
    { summary: ['Weekly', 'Own'] },
  ])
  for (const diff of [fake.diff(before), fake.diff(since)])
    expect(diff.find(({ id }) => id === MOVED)?.fields).toEqual({ summary: ['Daily', 'Own'] })
})

test('the history of an instance that followed many writes is consistent with its diff', async () => {
  const { fake, patch, before, since } = await series()
  for (let nth = 0; nth < 70; nth++) await patch({ summary: `Number ${nth}` })

  const summaries = fake.changes({ id: MOVED, since }).map(({ fields }) => fields.summary)
  expect(summaries).toEqual(
    Array.from({ length: 70 }, (_, nth) => [nth ? `Number ${nth - 1}` : 'Daily', `Number ${nth}`]),
  )
  for (const diff of [fake.diff(before), fake.diff(since)])
    expect(diff.find(({ id }) => id === MOVED)?.fields).toEqual({ summary: ['Daily', 'Number 69'] })
  const then = fake.changes({ id: MOVED })[40]?.revision ?? 0
  expect(fake.diff(then).find(({ id }) => id === MOVED)?.fields.summary?.[1]).toBe('Number 69')
})

test('a series that returns to its old values has no change, nor does a restore', async () => {
  const { fake, alice, patch, before, since } = await series()
  await patch({ summary: 'Weekly' })
  const fork = fake.fork(fake.snapshot(), 'other')
  await patch({ summary: 'Daily' })
  for (const diff of [fake.diff(before), fake.diff(since)]) expect(diff).toEqual([])
  expect(fake.diff(fork).text.split('\n')).toEqual(
    BOTH.map((line) => line.replaceAll('Daily', '…').replaceAll('Weekly', 'Daily').replaceAll('…', 'Weekly')),
  )
  await patch({ summary: 'Weekly' })
  fake.restore('before')
  expect(fake.diff(before)).toEqual([])
  expect((await alice.get(`${EVENTS}/${MOVED}`)).body.summary).toBe('Daily')
  expect(fake.changes({ since })).toEqual([])
  await patch({ summary: 'Yearly' })
  expect(fake.diff(before).map(({ fields }) => fields.summary)).toEqual(Array(2).fill(['Daily', 'Yearly']))
})
