import { expect, test, vi } from 'vitest'
import { ALICE, errorOf, hour, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { invalid } from '../../support/sharing.ts'

const CLOCK = '/_control/clock'

test('a GET of the clock returns its mode and instant', async () => {
  const { anonymous } = openCalendar()

  expect((await anonymous.get(CLOCK)).body).toEqual({ mode: 'frozen', now: '2026-03-01T12:00:00.000Z' })
})

test.each([
  [{ now: '2026-06-01T00:00:00+0200' }, { mode: 'frozen', now: '2026-05-31T22:00:00.000Z' }],
  [{ now: '2026-06-01T00:00:00+02:00' }, { mode: 'frozen', now: '2026-05-31T22:00:00.000Z' }],
  [
    { mode: 'frozen', now: '2020-01-01T00:00:00Z' },
    { mode: 'frozen', now: '2020-01-01T00:00:00.000Z' },
  ],
  [{ now: '1970-01-01T00:00:00Z' }, { mode: 'frozen', now: '1970-01-01T00:00:00.000Z' }],
  [{ now: '2200-01-01T00:00:00Z' }, { mode: 'frozen', now: '2200-01-01T00:00:00.000Z' }],
  [{ mode: 'frozen' }, { mode: 'frozen', now: '2026-03-01T12:00:00.000Z' }],
])('%j sets the clock', async (body, expected) => {
  const { anonymous } = openCalendar()

  expect((await anonymous.put(CLOCK, body)).body).toEqual({ fired: [], ...expected })
  expect((await anonymous.get(CLOCK)).body).toEqual(expected)
})

test('a running clock advances over several tasks although time passes meanwhile', async () => {
  let [now, step] = [Date.now(), 1]
  vi.spyOn(Date, 'now').mockImplementation(() => (now += step))
  const { fake, as } = openCalendar()
  fake.clock.run('2026-03-01T12:00:00Z')
  const fault = fake.faults.add({ on: 'colors.get', times: 'always', do: { delay: '1h', clock: 'world' } })
  const replies = [1, 2, 3].map(() => as(ALICE).get('/colors'))
  await fault.until(3)
  step = 1000

  expect(await fake.advance('2h')).toHaveLength(3)
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a clock that is set continues from there, and a real one shows the machine’s time', async () => {
  const { fake, anonymous } = openCalendar()

  expect((await anonymous.put(CLOCK, { mode: 'set', now: '2000-01-01T00:00:00Z' })).body.mode).toBe('set')
  expect(fake.clock.now()).toBeGreaterThanOrEqual(Date.parse('2000-01-01T00:00:00Z'))
  expect(fake.clock.now()).toBeLessThan(Date.parse('2000-01-02T00:00:00Z'))
  expect((await anonymous.put(CLOCK, { mode: 'real' })).body.mode).toBe('real')
  expect(Math.abs(fake.clock.now() - Date.now())).toBeLessThan(60_000)
})

test.each([
  [{ by: '1h30m' }, '2026-03-01T13:30:00.000Z'],
  [{ by: '2d' }, '2026-03-03T12:00:00.000Z'],
  [{ by: 1500 }, '2026-03-01T12:00:01.500Z'],
  [{ by: 0 }, '2026-03-01T12:00:00.000Z'],
  [{ to: '2026-03-08T00:00:00Z' }, '2026-03-08T00:00:00.000Z'],
])('%j advances the clock', async (body, now) => {
  const { anonymous } = openCalendar()

  expect((await anonymous.post(`${CLOCK}/advance`, body)).body).toEqual({ fired: [], mode: 'frozen', now })
})

test('the reply names the events that became due', async () => {
  const { as, fake, anonymous } = openCalendar()
  fake.conferences.policy({ delay: '1h' })
  const conferenceData = { createRequest: { requestId: 'meet' } }
  await as(ALICE).post('/calendars/primary/events?conferenceDataVersion=1', {
    id: 'standup',
    conferenceData,
    ...hour('2026-03-02', 9),
  })

  const { body } = await anonymous.post(`${CLOCK}/advance`, { by: '2h' })

  expect(body.fired).toEqual([{ what: 'conference meet of standup', at: '2026-03-01T13:00:00.000Z' }])
})

test('later writes have the time of the clock', async () => {
  const { as, anonymous } = openCalendar()

  await anonymous.post(`${CLOCK}/advance`, { to: '2026-04-01T08:00:00Z' })

  const { body } = await as(ALICE).post('/calendars/primary/events', hour('2026-04-02', 9))
  expect(body).toMatchObject({ created: '2026-04-01T08:00:00.000Z', updated: '2026-04-01T08:00:00.000Z' })
})

test('after the clock is set back, later versions still have later etags', async () => {
  const { as, anonymous } = openCalendar()
  const before = (await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 9))).body

  await anonymous.put(CLOCK, { now: '2020-01-01T00:00:00Z' })

  const after = (await as(ALICE).patch(`/calendars/primary/events/${before.id}`, { summary: 'B' })).body
  expect(after.etag > before.etag).toBe(true)
})

const MODES = 'there is no "fast"; did you mean "set"?'
const INSTANT = '(expected a form such as 2026-03-02T09:00:00Z)'
const BOUNDS = 'not between 1970-01-01 and 2200-01-01, where a clock goes'
const DURATION = '(expected milliseconds, or text such as 90s, 1h30m, 2d)'

test.each([
  ['put', CLOCK, {}, 'now: give a mode, an instant or both'],
  ['put', CLOCK, { mode: 'fast' }, `mode: ${MODES}`],
  ['put', CLOCK, { now: 'noon' }, `now: not an instant: noon ${INSTANT}`],
  ['put', CLOCK, { now: '2026-03-02' }, `now: not an instant: 2026-03-02 ${INSTANT}`],
  [
    'put',
    CLOCK,
    { now: 'March 2, 2026 T 00:00Z (noon)' },
    `now: not an instant: March 2, 2026 T 00:00Z (noon) ${INSTANT}`,
  ],
  ['put', CLOCK, { now: 5 }, 'now: expected a text; got 5'],
  [
    'put',
    CLOCK,
    { mode: 'real', now: '2026-03-02T00:00:00Z' },
    'now: a real clock cannot be set; leave out now, or give another mode',
  ],
  ['put', CLOCK, { speed: 2 }, 'body: there is no "speed"; did you mean "mode"? There are mode, now'],
  ['post', `${CLOCK}/advance`, {}, 'by: give either by or to'],
  ['post', `${CLOCK}/advance`, { by: '1h', to: '2026-03-02T00:00:00Z' }, 'by: give either by or to'],
  ['post', `${CLOCK}/advance`, { by: 'soon' }, `by: not a duration: soon ${DURATION}`],
  ['post', `${CLOCK}/advance`, { by: -5 }, `by: not a duration: -5 ${DURATION}`],
  ['post', `${CLOCK}/advance`, { by: 'x'.repeat(99) }, `by: not a duration: ${'x'.repeat(64)} ${DURATION}`],
  ['post', `${CLOCK}/advance`, { by: '' }, `by: not a duration:  ${DURATION}`],
  ['post', `${CLOCK}/advance`, { by: 1e18 }, 'by: longer than 230 years: 1000000000000000000'],
  ['post', `${CLOCK}/advance`, { by: '20000000w' }, 'by: longer than 230 years: 20000000w'],
  ['post', `${CLOCK}/advance`, { by: '10000w' }, `by: ${BOUNDS}: 2217-10-26T12:00:00.000Z`],
  ['put', CLOCK, { now: '+275760-09-12T00:00:00Z' }, `now: ${BOUNDS}: +275760-09-12T00:00:00.000Z`],
  ['put', CLOCK, { now: '1969-12-31T23:59:59Z' }, `now: ${BOUNDS}: 1969-12-31T23:59:59.000Z`],
  ['post', `${CLOCK}/advance`, { to: 'then' }, `to: not an instant: then ${INSTANT}`],
  ['post', `${CLOCK}/advance`, { to: '2020-01-01T00:00:00Z' }, 'to: cannot advance back to 2020-01-01T00:00:00.000Z'],
] as const)('%s %s %j is refused and the clock is unchanged', async (verb, path, body, message) => {
  const { anonymous } = openCalendar()
  const before = (await anonymous.get(CLOCK)).body

  expect(errorOf(await anonymous[verb](path, body))).toEqual(invalid(`Invalid value for: ${message}`))
  expect((await anonymous.get(CLOCK)).body).toEqual(before)
})

test('14.52 setting the clock back moves the records of a world without client writes', async () => {
  const { as, anonymous, fake } = openCalendar({
    seed: { ...PEOPLE, calendars: [{ id: ALICE, events: [{ id: 'plans', ...hour('2026-03-02', 9) }] }] },
  })
  const path = '/calendars/primary/events/plans'
  const before = (await as(ALICE).get(path)).body

  const { body } = await anonymous.put(CLOCK, { mode: 'frozen', now: '2025-03-01T12:00:00Z' })

  expect(body).not.toHaveProperty('stampsFrom')
  const after = (await as(ALICE).get(path)).body
  expect(after).toMatchObject({ created: '2025-02-22T12:00:00.000Z', updated: '2025-02-22T12:00:00.000Z' })
  expect(after.etag < before.etag).toBe(true)
  expect((await as(ALICE).get('/calendars/primary/events')).body.items).toEqual([after])
  expect((await as(ALICE).get('/calendars/primary/events?updatedMin=2025-02-22T12:00:01Z')).body.items).toEqual([])
  const { body: next } = await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 9))
  expect(next.updated).toBe('2025-03-01T12:00:00.000Z')

  fake.reset()
  expect((await as(ALICE).get(path)).body).toEqual(before)
})

test('14.52 after a client’s write, stamps continue from the last one, and the reply has stampsFrom', async () => {
  const { as, anonymous } = openCalendar()
  await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 9))

  const { body } = await anonymous.put(CLOCK, { mode: 'frozen', now: '2025-03-01T12:00:00Z' })

  expect(body.stampsFrom).toBe('2026-03-01T12:00:00.000Z')
})

test('14.52 stamps of a restored world continue too, although its snapshot has no client’s write', async () => {
  const { as, anonymous, fake } = openCalendar()
  const before = fake.snapshot()
  await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 9))
  fake.restore(before)

  const { body } = await anonymous.put(CLOCK, { mode: 'frozen', now: '2025-03-01T12:00:00Z' })

  expect(body.stampsFrom).toBe('2026-02-22T12:00:00.000Z')
})
