import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openServer, runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-seeds-'))
afterAll(() => rmSync(folder, { recursive: true }))
const writeFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const WRONG = `{
  "accounts": [{ "email": "ann@example.com", "timeZone": "Mars/Phobos" }],
  "calendars": [
    {
      "id": "ann@example.com",
      "events": [
        { "sumary": "x", "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" } },
        { "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" }, "recurrence": ["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"] },
        { "start": { "date": "2026-03-04" }, "end": { "date": "2026-03-03" } }
      ]
    },
    { "id": "team@example.com", "owner": "nobody@example.com" }
  ]
}
`

const FAULTS = [
  '2:58: accounts[0].timeZone: there is no time zone Mars/Phobos',
  '7:11: calendars[0].events[0].sumary: there is no "sumary"; did you mean "summary"?',
  '8:94: calendars[0].events[1].recurrence[0]: the rule never fires: RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  '9:9: calendars[0].events[2]: The specified time range is empty.',
  '12:5: calendars[1]: Invalid value for: owner: there is no account nobody@example.com',
]

test('seed check lists all problems of a seed, in its schema and in applying it', async () => {
  const name = writeFile('wrong.json', WRONG)

  expect(await runCommand(['seed', 'check', name])).toEqual({
    ...{ code: 1, stderr: '', stdout: FAULTS.map((line) => `${name}:${line}\n`).join('') },
  })
})

const YAML = `# People
accounts:
  - email: ann@example.com
    displayName: Ann
calendars:
  - events:
      - start: &day { date: 2026-03-02 }
        end: { date: 2026-03-03 }
        summary: Spring
      - start: *day
        end: { date: 2026-03-03 }
        summry: Autumn
    id: ann@example.com
`

test('seed check reports problems of YAML the same way, also through aliases', async () => {
  const name = writeFile('wrong.yaml', YAML)

  expect(await runCommand(['seed', 'check', name])).toEqual({
    ...{
      code: 1,
      stderr: '',
      stdout: `${name}:12:9: calendars[0].events[1].summry: there is no "summry"; did you mean "summary"?\n`,
    },
  })
})

test('valid files are reported in one line each, and a missing file beside them', async () => {
  const [a, b] = [
    writeFile('right.json', '{"accounts":[{"email":"ann@example.com"}]}'),
    writeFile('right.yml', YAML.replace('summry', 'summary')),
  ]
  const { code, stdout, stderr } = await runCommand(['seed', 'check', a, join(folder, 'none.json'), b])

  expect(stdout).toBe(`${a}: 1 account, 1 calendar, 0 events\n${b}: 1 account, 1 calendar, 2 events\n`)
  expect(stderr).toBe(`fake-calendar: ${join(folder, 'none.json')}: cannot read the seed: there is no such file\n`)
  expect(code).toBe(1)
})

test('--seed accepts YAML', async () => {
  const { accounts } = await openServer(['--seed', writeFile('team.yaml', YAML.replace('summry', 'summary'))])

  expect(accounts).toEqual(['ann@example.com'])
})

test('seed check reports iCalendar problems by UID, line and reason', async () => {
  const event = ['BEGIN:VEVENT', 'UID:bad', 'DTSTART:20260706T090000Z', 'RRULE:FREQ=HOURLY', 'END:VEVENT']
  const name = writeFile('team.ics', ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n'))

  expect(await runCommand(['seed', 'check', name])).toEqual({
    ...{
      code: 1,
      stderr: '',
      stdout: `${name}:6:1: bad: the event was left out, because the service has no series with FREQ=HOURLY; use DAILY, WEEKLY, MONTHLY or YEARLY\n`,
    },
  })
})

const DEEP = 200_000
const BOMB = [
  'a: &a [x,x,x,x,x,x,x,x,x,x]',
  ...'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[at]}`).join(',')}]`),
]

test.each([
  ['open brackets', 'deep.yaml', '['.repeat(DEEP)],
  ['closed brackets', 'closed.yaml', '['.repeat(DEEP) + ']'.repeat(DEEP)],
  ['lists in lists', 'lists.yaml', '- '.repeat(DEEP)],
  ['keys in keys', 'keys.yaml', '? '.repeat(DEEP)],
  ['maps in maps', 'maps.yaml', '{a: '.repeat(DEEP)],
  ['aliases of aliases', 'bomb.yaml', BOMB.join('\n')],
  ['an alias of itself', 'cycle.yaml', 'accounts: &a [*a]'],
  ['text that is not YAML', 'none.yaml', 'accounts: [}'],
  ['a list of JSON', 'deep.json', '['.repeat(DEEP)],
])('%s are reported in one line with exit code 1, by a start and by a check', async (_, name, text) => {
  const path = writeFile(name, text)
  for (const args of [
    ['--port', '0', '--seed', path],
    ['seed', 'check', path],
    ['seed', 'format', path],
  ]) {
    const { code, stdout, stderr } = await runCommand(args)
    const lines = (stdout + stderr).trimEnd().split('\n')

    expect([code, lines.every((line) => line.includes(name))], lines[0]?.slice(0, 300)).toEqual([1, true])
    if (args[0] === '--port') expect(lines).toHaveLength(1)
  }
})

test('seed format orders keys as the schema does, and does not change its own output', async () => {
  const name = writeFile(
    'format.json',
    '{"calendars":[{"events":[],"id":"a@example.com"}],"accounts":[{"timeZone":"UTC","email":"a@example.com"}]}',
  )
  const checks = await runCommand(['seed', 'format', '--check', name])
  const first = await runCommand(['seed', 'format', name])
  const text = readFileSync(name, 'utf8')

  expect([checks.code, checks.stdout]).toEqual([1, `${name}: not formatted\n`])
  expect([first.code, first.stdout]).toEqual([0, `${name}: written\n`])
  expect(text).toBe(
    '{\n  "accounts": [{ "email": "a@example.com", "timeZone": "UTC" }],\n  "calendars": [{ "id": "a@example.com", "events": [] }]\n}\n',
  )
  expect(await runCommand(['seed', 'format', '--check', name])).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readdirSync(folder).filter((one) => one.endsWith('.tmp'))).toEqual([])
})

test('seed format keeps the comments of YAML, and the order where names refer to others', async () => {
  const [plain, refers] = [
    writeFile(
      'plain.yaml',
      '# World\ncalendars: []\naccounts:\n  # Ann\n  - timeZone: UTC\n    email: a@example.com\n',
    ),
    writeFile('refers.yaml', 'calendars: &none []\naccounts: *none\n'),
  ]
  const { code } = await runCommand(['seed', 'format', plain, refers])

  expect(code).toBe(0)
  expect(readFileSync(plain, 'utf8')).toContain('# Ann\n  - email: a@example.com\n    timeZone: UTC\n')
  expect(readFileSync(plain, 'utf8').indexOf('accounts')).toBeLessThan(readFileSync(plain, 'utf8').indexOf('calendars'))
  expect(readFileSync(refers, 'utf8')).toBe('calendars: &none []\naccounts: *none\n')
})

test.each([
  [['seed'], 'seed: requires check or format (seed --help lists the options)'],
  [['seed', 'chek', 'x'], 'seed: chek (expected check or format) (seed --help lists the options)'],
  [['seed', 'format', '--after', 'team', 'x'], "seed format: Unknown option '--after' (seed --help lists the options)"],
  [['seed', 'check', '--check', 'x'], "seed check: Unknown option '--check' (seed --help lists the options)"],
  [['seed', 'check'], 'seed check: requires a file (seed --help lists the options)'],
  [['seed', 'format', 'x.ics'], 'x.ics: cannot read the seed: there is no such file'],
  [
    ['seed', 'check', '--afer', 'x'],
    "seed: Unknown option '--afer'; did you mean '--after'? (seed --help lists the options)",
  ],
])('%j prints one line and exits with 1', async (args, message) => {
  expect(await runCommand(args)).toEqual({ code: 1, stdout: '', stderr: `fake-calendar: ${message}\n` })
})
