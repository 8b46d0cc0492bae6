import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'prove-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const TASK = `name: Book a lunch
seed:
  accounts: [{ email: alice@example.com, timeZone: Europe/Berlin }, { email: bob@example.com }]
now: '2030-06-03T07:00:00Z'
account: alice@example.com
prompt: Book lunch with Bob.
goal:
  do:
    - create_event: { summary: Lunch, startTime: '2030-06-07T12:00', endTime: '2030-06-07T13:00', attendees: [{ email: bob@example.com }] }
  free: { summary: { contains: unch } }
`

test('a proof counts what passes and what is seen, and names what is free', async () => {
  const { code, stdout, stderr } = await runCommand(['prove', write('lunch.yaml', TASK)])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^Book a lunch: (\d+) of \1 right solutions pass, \d+ of \d+ faults are seen\n {2}the reference: added event "Lunch"\n/,
  )
  expect(stdout).toContain('  no mail: free by mail, which is free for the people of the change\n')
})

test('a reference whose own mails the goal forbids fails the proof', async () => {
  const { code, stdout } = await runCommand(['prove', write('mail.yaml', `${TASK}  mail: none\n`)])

  expect(code).toBe(1)
  expect(stdout).toContain('  FAILS: the reference: mail eventCreation about "Lunch" to bob@example.com\n')
})

test.each([
  [[], 'prove: requires a task file or a folder (prove --help lists the options)'],
  [[write('a.yaml', TASK), '--vary', 'x'], '--vary: x (expected a whole number)'],
  [
    [
      write(
        'b.yaml',
        TASK.replace('bob@example.com }]\n', 'bob@example.com }]\n').replace(
          "'2030-06-07T13:00'",
          "'2030-06-07T11:00'",
        ),
      ),
    ],
    expect.stringMatching(/^Book a lunch: goal\.do: step 1: create_event: /),
  ],
])('prove %j fails with one line', async (args, message) => {
  const { code, stderr } = await runCommand(['prove', ...args])

  expect({ code, line: stderr.replace(/^fake-calendar: |\n$/g, '') }).toEqual({ code: 1, line: message })
})
