import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { ROOT, run } from '../../support/command.ts'

const OPENED = `const { createFakeCalendar } = await import(${JSON.stringify(pathToFileURL(`${ROOT}dist/index.js`).href)})
const fake = createFakeCalendar()
const fault = fake.faults.add({ on: '*', do: { fail: 'rateLimitExceeded' } })
const said = (answer) => console.log(JSON.stringify(answer))
`

/** Waits that never end, each in a program that does nothing else. */
const WAITS: [string, string, string][] = [
  [
    'a call',
    `fake.calls.until('events.insert', 1, { timeout: 20 }).catch((error) => said(error.message))`,
    'events.insert',
  ],
  ['a fault', `fault.until(1, { timeout: 20 }).catch((error) => said(error.message))`, 'fired 0 of 1 times in time'],
  ['a change', `fake.changes({ since: fake.revision, wait: 20 }).then(said)`, '[]'],
  [
    'a message',
    `fake.notifications.until('a-channel', 1, { timeout: 20 }).catch((error) => said(error.message))`,
    '0 of 1 messages',
  ],
]

test.each(WAITS)('a program that waits only for %s gets a time-out before it exits', async (_, wait, answer) => {
  const { code, stdout, stderr } = await run(['--input-type=module', '--eval', OPENED + wait])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(answer)
})
