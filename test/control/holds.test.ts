import { expect, test } from 'vitest'
import { createFakeCalendar, type FakeWorld } from '../../src/index.ts'
import { ALICE, NOW } from '../support/calendar.ts'
import { CONTROL_ROWS, type ControlRow, QUESTIONS, type Question, type Send } from '../support/holds.ts'

type Way = { world: FakeWorld; token: string; isBatch?: boolean }

/** Returns a function that sends a request to a world with a token, on its own or as the part of a batch. */
const sendBy =
  ({ world, token, isBatch = false }: Way): Send =>
  async (verb, path, body) => {
    if (body instanceof URLSearchParams) {
      const response = await world.request(path, {
        method: verb,
        body: new URLSearchParams([...body, ['refresh_token', token]]),
      })
      return { status: response.status, text: await response.text() }
    }
    const type = 'application/json'
    const text = body && JSON.stringify(body)
    if (!isBatch) {
      const headers = { Authorization: `Bearer ${token}`, ...(text && { 'Content-Type': type }) }
      const response = await world.request(path, { method: verb, headers, ...(text && { body: text }) })
      return { status: response.status, text: [...response.headers].join('\n') + (await response.text()) }
    }
    const call = `${verb} ${path}\r\nAuthorization: Bearer ${token}${text ? `\r\nContent-Type: ${type}\r\n\r\n${text}` : '\r\n'}`
    const response = await world.request('/batch/calendar/v3', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: `--b\r\nContent-Type: application/http\r\n\r\n${call}\r\n--b--\r\n`,
    })
    const answer = await response.text()
    return { status: Number(/HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), text: answer }
  }

/** Sets a control, and returns whether it acts when the question is asked. */
async function ask({ options, prepare, set, acts }: ControlRow, question: Question): Promise<boolean> {
  const fake = createFakeCalendar({ seed: { accounts: [{ email: ALICE }] }, now: NOW, ...options })
  const other = options?.strict ? 'issued' : fake.oauth.mint({ account: ALICE, life: '3650d' })
  const way: Way = { world: fake, token: ALICE }
  const prepared = (await prepare?.(sendBy(way))) ?? ''
  const before = fake.snapshot()
  const elsewhere = fake.fork(before, 'elsewhere')
  for (const world of [fake, elsewhere]) world.onNotification(() => 200)
  await set?.(fake)
  const actsBy = (changed: Partial<Way>) => {
    const by = { ...way, ...changed }
    return acts(sendBy(by), by.world, prepared)
  }
  const later = fake.snapshot()
  switch (question) {
    case 'again':
      expect(await actsBy({}), 'the first request').toBe(true)
      return actsBy({})
    case 'token':
      return actsBy({ token: other })
    case 'batch':
      return actsBy({ isBatch: true })
    case 'world':
      return actsBy({ world: elsewhere })
    case 'reset':
      fake.reset()
      return actsBy({})
    case 'restore':
      fake.restore(before)
      return actsBy({})
    case 'fork': {
      const world = fake.fork(later, 'fork')
      world.onNotification(() => 200)
      return actsBy({ world })
    }
  }
}

const CELLS = CONTROL_ROWS.flatMap((row) =>
  (Object.keys(QUESTIONS) as Question[])
    .filter((question) => row[question] !== 'none')
    .map((question) => ({ row, question, answer: row[question], title: `${row.control} ${QUESTIONS[question]}` })),
)

test.each(CELLS)('$title: $answer', async ({ row, question, answer }) => {
  expect((await ask(row, question)) ? 'holds' : 'ends').toBe(answer)
})
