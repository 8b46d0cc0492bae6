import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startCounting } from '../robust/steps.ts'
import { ALICE, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LONG = { timeout: 20_000 }
const LUNCH = { ...hour('2026-03-09', 12), summary: 'Lunch' }

/** Opens a calendar and a function that returns the steps of one insert. */
function openCounted() {
  const opened = openCalendar()
  const work = startCounting()
  onTestFinished(async () => {
    work.stop()
    await opened.fake.close()
  })
  const stepsOfInsert = async () => {
    work.takeCount()
    expect((await opened.as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    return work.takeCount()
  }
  return { ...opened, stepsOfInsert }
}

type Send = (signal: AbortSignal) => Promise<Response>

/** Sends many waits and aborts all of them. */
async function abandon(send: Send, count: number, isSent: () => Promise<unknown>): Promise<void> {
  const client = new AbortController()
  const waits = Array.from({ length: count }, () => send(client.signal))
  await isSent()
  client.abort()
  for (const wait of await Promise.allSettled(waits)) expect(wait.status).toBe('rejected')
}

const JSON_BODY = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
const WAITS: [name: string, path: string, init?: RequestInit][] = [
  ['changes', '/_control/changes?wait=60s&kind=channel'],
  ['calls', '/_control/calls/until', { ...JSON_BODY, body: '{"method":"*","where":{"path":"/none"},"timeout":"60s"}' }],
]

test.each(WAITS)('an insert takes no more steps after 300 abandoned waits for %s', async (_, path, init) => {
  const { fake, stepsOfInsert } = openCounted()
  await stepsOfInsert()
  const before = await stepsOfInsert()
  await abandon(
    (signal) => fake.fetch(`http://localhost${path}`, { ...init, signal }),
    300,
    async () => {
      // Each open wait looks at the insert, so that the test would notice waits that do not end.
      await vi.waitFor(async () => expect(await stepsOfInsert()).toBeGreaterThan(before + 300), LONG)
    },
  )

  await vi.waitFor(async () => expect(await stepsOfInsert()).toBeLessThan(before + 100), LONG)
})

test('an insert takes no more steps after abandoned waits over sockets', async () => {
  const { fake, stepsOfInsert } = openCounted()
  const { url } = await fake.listen()
  await stepsOfInsert()
  const before = await stepsOfInsert()
  await abandon(
    (signal) => fetch(`${url}/_control/changes?wait=60s&kind=channel`, { signal }),
    30,
    async () => {
      await vi.waitFor(async () => expect(await stepsOfInsert()).toBeGreaterThan(before + 30), LONG)
    },
  )

  await vi.waitFor(async () => expect(await stepsOfInsert()).toBeLessThan(before + 20), LONG)
})

test('a delay by the clock of the world ends when its client disconnects', async () => {
  const { fake } = openCounted()
  const fault = fake.faults.add({ on: 'events.list', times: 'always', do: { delay: '1h', clock: 'world' } })
  const headers = { Authorization: `Bearer ${ALICE}` }
  const list: Send = (signal) => fake.fetch(`http://localhost/calendar/v3${EVENTS}`, { headers, signal })
  await abandon(list, 10, () => fault.until(10))
  const pending = list(new AbortController().signal)
  await fault.until(11)

  const fired = await fake.advance('2h')
  expect(fired.map(({ what }) => what)).toEqual(['a delayed events.list continues'])
  expect((await pending).status).toBe(200)
})

test('a delay in real time ends when its client disconnects, and a write is done then', async () => {
  const { fake } = openCounted()
  const fault = fake.faults.add({ on: '*', times: 'always', do: { delay: '1h' } })
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const url = `http://localhost/calendar/v3${EVENTS}`
  const list: Send = (signal) => fake.fetch(url, { headers, signal })
  const insert: Send = (signal) => fake.fetch(url, { method: 'POST', body: JSON.stringify(LUNCH), headers, signal })
  await abandon(insert, 3, () => fault.until(3))
  await abandon(list, 20, () => fault.until(23))

  await expect.poll(() => fake.calls('events.list'), LONG).toHaveLength(20)
  expect(fake.calls('events.insert', { where: { status: 200 } })).toHaveLength(3)
})

test('a delayed request behind another one of its connection ends with the connection', async () => {
  const { fake } = openCounted()
  const { port } = new URL((await fake.listen()).url)
  const fault = fake.faults.add({ on: 'events.list', times: 'always', do: { delay: '1h', clock: 'world' } })
  const client = connect(Number(port), '127.0.0.1')
  const request = `GET /calendar/v3${EVENTS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ALICE}\r\n\r\n`
  client.write(request.repeat(3))
  await fault.until(3)
  client.destroy()

  await expect.poll(() => fake.calls('events.list'), LONG).toHaveLength(3)
  expect(await fake.advance('2h')).toEqual([])
})
