import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar, refusal } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { summary: 'Lunch', ...hour('2026-03-09', 12) }
const DINNER = { summary: 'Dinner', ...hour('2026-03-09', 19) }

/** A world with a lunch, and one to which a dinner came. */
async function twoMoments() {
  const { fake, as, anybody } = openCalendar()
  await as(ALICE).post(EVENTS, LUNCH)
  const before = fake.snapshot('before')
  await as(ALICE).post(EVENTS, DINNER)
  return { fake, as, anybody, before }
}

test('a diff is from a snapshot, by its handle or its name, and between two', async () => {
  const { fake, as, before } = await twoMoments()
  const after = fake.snapshot()
  await as(ALICE).post(EVENTS, { ...LUNCH, summary: 'Breakfast' })
  const titles = (diff: { title: string }[]) => diff.map(({ title }) => title)

  expect(titles(fake.diff(before))).toEqual(['Breakfast', 'Dinner'])
  expect(titles(fake.diff('before'))).toEqual(['Breakfast', 'Dinner'])
  expect(titles(fake.diff(before, after))).toEqual(['Dinner'])
  expect(titles(fake.diff(after, before, { copies: true }))).toEqual(['Dinner'])
  expect(fake.diff(after, before)).toMatchObject([{ change: 'deleted' }])
  fake.diff(before, after).verify([{ change: 'added', kind: 'event', where: { summary: 'Dinner' } }])
})

test('what a restore took back is no change, and no history', async () => {
  const { fake, before } = await twoMoments()
  const since = before.revision
  expect(fake.diff(since)).toMatchObject([{ title: 'Dinner' }])
  fake.restore(before)

  expect(fake.diff(before)).toEqual([])
  expect(fake.diff(since)).toEqual([])
  expect(fake.changes({ kind: 'event' })).toMatchObject([{ title: 'Lunch' }])
})

test('a fork is compared with the world that it came from, and with its own beginning', async () => {
  const { fake, before } = await twoMoments()
  const fork = fake.fork(before, 'w1')

  expect(fork.diff()).toEqual([])
  expect(fake.diff(fork)).toMatchObject([{ change: 'added', title: 'Dinner' }])
  expect(fork.diff(fake)).toMatchObject([{ change: 'deleted', title: 'Dinner' }])
})

test('the route takes the name of a snapshot', async () => {
  const { anybody } = await twoMoments()
  const { body } = await anybody.get('/_control/diff?since=before')
  expect(body.text).toBe('alice: "Dinner" 2026-03-09 19:00–20:00 added')
  expect(refusal(await anybody.get('/_control/diff?since=after'))).toMatchObject({
    status: 400,
    message: expect.stringContaining('there is no snapshot "after" of this world'),
  })
})

test('a snapshot is a moment to verify from over HTTP too', async () => {
  const { anybody } = await twoMoments()
  const expected = [{ change: 'added', kind: 'event', where: { summary: 'Dinner' } }]
  const { body } = await anybody.post('/_control/diff/verify', { since: 'before', expected })
  expect(body.verified).toBe(true)
})
