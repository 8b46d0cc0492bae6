import { expect, test } from 'vitest'
import { ALICE, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { summary: 'Lunch', ...hour('2026-03-09', 12) }
const DINNER = { summary: 'Dinner', ...hour('2026-03-09', 19) }

/** A world with a lunch, and one to which a dinner came. */
async function twoMoments() {
  const { fake, as, anonymous } = openCalendar()
  await as(ALICE).post(EVENTS, LUNCH)
  const before = fake.snapshot('before')
  await as(ALICE).post(EVENTS, DINNER)
  return { fake, as, anonymous, before }
}

test('a diff starts at a snapshot, by handle or name, and can end at another', async () => {
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

test.each(['7', '2026-03-02T09:00:00Z'])(
  'a snapshot named %s is found by its name, in process and by the routes',
  async (name) => {
    const { fake, as, anonymous } = openCalendar()
    await as(ALICE).post(EVENTS, LUNCH)
    fake.snapshot(name)
    await as(ALICE).post(EVENTS, DINNER)
    const since = encodeURIComponent(name)
    const expected = [{ change: 'added', title: 'Dinner' }]

    expect(fake.diff(name)).toMatchObject(expected)
    expect((await anonymous.get(`/_control/diff?since=${since}`)).body.changes).toMatchObject(expected)
    expect((await anonymous.get(`/_control/diff?until=${since}`)).body.changes).toMatchObject([{ title: 'Lunch' }])
    expect((await anonymous.post('/_control/diff/verify', { since: name, expected })).status).toBe(200)
    expect(fake.changes({ since: name }).length).toBe(name === '7' ? 2 : 0)
  },
)

test('writes that a restore undid are neither in the diff nor in the history', async () => {
  const { fake, before } = await twoMoments()
  const since = before.revision
  expect(fake.diff(since)).toMatchObject([{ title: 'Dinner' }])
  fake.restore(before)

  expect(fake.diff(before)).toEqual([])
  expect(fake.diff(since)).toEqual([])
  expect(fake.changes({ kind: 'event' })).toMatchObject([{ title: 'Lunch' }])
})

test('a fork is compared with its source world and with its initial state', async () => {
  const { fake, before } = await twoMoments()
  const fork = fake.fork(before, 'w1')

  expect(fork.diff()).toEqual([])
  expect(fake.diff(fork)).toMatchObject([{ change: 'added', title: 'Dinner' }])
  expect(fork.diff(fake)).toMatchObject([{ change: 'deleted', title: 'Dinner' }])
})

test('the route accepts the name of a snapshot', async () => {
  const { anonymous } = await twoMoments()
  const { body } = await anonymous.get('/_control/diff?since=before')
  expect(body.text).toBe('event "Dinner" of alice@example.com, 2026-03-09T19:00:00-04:00: added')
  expect(errorOf(await anonymous.get('/_control/diff?since=after'))).toMatchObject({
    status: 400,
    message: expect.stringContaining('there is no snapshot "after" of this world'),
  })
})

test('a verification over HTTP can start at a snapshot', async () => {
  const { anonymous } = await twoMoments()
  const expected = [{ change: 'added', kind: 'event', where: { summary: 'Dinner' } }]
  const { body } = await anonymous.post('/_control/diff/verify', { since: 'before', expected })
  expect(body.verified).toBe(true)
})
