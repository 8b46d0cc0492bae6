import { expect, onTestFinished, test } from 'vitest'
import type { Change } from '../../src/index.ts'
import { startCounting } from '../robust/steps.ts'
import { ALICE, BOB, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { ...hour('2026-03-09', 12), summary: 'Lunch' }

/** Opens a calendar, and counts the steps of a request, and the maximum in one turn of the event loop. */
function openCounted() {
  const opened = openCalendar()
  const work = startCounting()
  onTestFinished(() => work.stop())
  const stepsOf = async (send: () => Promise<unknown>) => {
    work.takeCount()
    await send()
    return work.takeCount()
  }
  const mostInOneTurn = async (until: Promise<unknown>) => {
    let most = 0
    let isOver = false
    const turn = () => {
      most = Math.max(most, work.takeCount())
      if (!isOver) setImmediate(turn)
    }
    work.takeCount()
    setImmediate(turn)
    await until
    isOver = true
    return Math.max(most, work.takeCount())
  }
  return { ...opened, stepsOf, mostInOneTurn }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
/** 1,000 parameters that no call has, so that each is compared. */
const KEYS = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key${at}`, null]))
const WHERE = JSON.stringify({ params: KEYS })
type Opened = ReturnType<typeof openCounted>

test('200 open waits for changes compare each write once, and no earlier write again', async () => {
  const { as, anonymous, stepsOf } = openCounted()
  for (let at = 0; at < 50; at++) await as(ALICE).post(EVENTS, LUNCH)
  const insert = () => as(ALICE).post(EVENTS, LUNCH)
  const before = await stepsOf(insert)
  const waits = Array.from({ length: 200 }, () => anonymous.get(`/_control/changes?wait=20s&account=${BOB}`))
  await nextTurn()

  expect(await stepsOf(insert)).toBeLessThan(before + 2500)
  await as(BOB).post('/calendars', { summary: 'Team' })
  for (const { body } of await Promise.all(waits))
    expect(body.changes.map(({ title }: Change) => title)).toContain('Team')
})

test('a call is answered before 50 open waits have compared it with 1,000 keys each', async () => {
  const { as, fake, stepsOf, mostInOneTurn } = openCounted()
  const call = () => as(ALICE).get('/colors')
  await call()
  const before = await stepsOf(call)
  const where = { params: KEYS }
  const waits = Array.from({ length: 50 }, () => fake.calls.until('colors.get', 4, { where, timeout: '20s' }))

  expect(await stepsOf(call)).toBeLessThan(before + 20_000)
  expect(await stepsOf(call)).toBeLessThan(before + 20_000)
  expect(await mostInOneTurn(Promise.all(waits))).toBeLessThan(20_000)
  for (const calls of await Promise.all(waits)) expect(calls.map(({ n }) => n)).toEqual([1, 2, 3, 4])
})

test('a call that came before the time-out is counted even if it is compared later', async () => {
  const { as, fake } = openCounted()
  const where = { params: KEYS }
  const waiting = fake.calls.until('colors.get', 2, { where, timeout: 30 })
  const others = Array.from({ length: 50 }, () => fake.calls.until('colors.get', 1, { where, timeout: '20s' }))
  await as(ALICE).get('/colors')

  await expect(waiting).rejects.toThrow('1 of 2 calls arrived in time')
  await Promise.all(others)
})

test('streams compare calls in turns too', async () => {
  const { as, fake, stepsOf } = openCounted()
  const call = () => as(ALICE).get('/colors')
  await call()
  const before = await stepsOf(call)
  const client = new AbortController()
  const query = new URLSearchParams({ where: JSON.stringify({ params: KEYS }) })
  const streams = Array.from({ length: 20 }, () =>
    fake.fetch(`http://localhost/_control/calls/stream?${query}`, { signal: client.signal }),
  )
  const readers = (await Promise.all(streams)).map(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader())
  await nextTurn()

  expect(await stepsOf(call)).toBeLessThan(before + 20_000)
  for (const reader of readers) {
    let text = ''
    while (!text.includes('event: call')) text += (await reader?.read())?.value
    await reader?.cancel()
  }
  client.abort()
})

test.each([
  ['lists', ({ anonymous }: Opened) => anonymous.get(`/_control/calls?${new URLSearchParams({ where: WHERE })}`)],
  [
    'verifications',
    ({ anonymous }: Opened) =>
      anonymous.post('/_control/calls/verify', { where: JSON.parse(WHERE), method: '*', times: 50 }),
  ],
  [
    'failed verifications',
    ({ anonymous }: Opened) =>
      anonymous.post('/_control/calls/verify', { where: { params: { ...KEYS, none: 'x' } }, method: '*' }),
  ],
])('%s of calls are compared in turns, and requests are answered in between', async (_, send) => {
  const opened = openCounted()
  for (let call = 0; call < 50; call++) await opened.as(ALICE).get('/colors')
  const replies = Promise.all([send(opened), send(opened)])

  expect(await opened.mostInOneTurn(replies)).toBeLessThan(20_000)
  for (const { status } of await replies) expect(status).toBeOneOf([200, 417])
})

test('several verifications of changes share one step of each turn', async () => {
  const { as, anonymous, mostInOneTurn } = openCounted()
  for (let at = 0; at < 100; at++) await as(ALICE).post(EVENTS, LUNCH)
  const expected = Array.from({ length: 100 }, (_, at) => ({
    where: { location: { contains: `${at}` } },
    times: { min: 0, max: 1 },
  }))
  const verify = () => anonymous.post('/_control/diff/verify', { expected: [...expected, { times: { min: 0 } }] })
  const verified = Array.from({ length: 20 }, verify)
  await nextTurn()

  expect(await mostInOneTurn(Promise.all(verified))).toBeLessThan(60_000)
})
