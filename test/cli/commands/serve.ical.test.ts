import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { calendar, event } from '../../seeds/ical/importEvents.ts'
import { openServer, runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-ical-'))
afterAll(() => rmSync(folder, { recursive: true }))
const writeFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Serves a file, and lists the events of the first account. */
async function serveSeeds(...seeds: string[]) {
  const { baseUrl, accounts, stderr } = await openServer(seeds.flatMap((seed) => ['--seed', seed]))
  const headers = { Authorization: `Bearer ${accounts.at(-1)}` }
  const { items } = await (await fetch(`${baseUrl}/calendars/primary/events`, { headers })).json()
  return { accounts, titles: items.map(({ summary }: { summary: string }) => summary), stderr }
}

test('--seed accepts an iCalendar file, and reports omitted content on stderr', async () => {
  const bad = ['BEGIN:VEVENT', 'UID:bad', 'DTSTART:20260706T090000Z', 'RRULE:FREQ=HOURLY', 'END:VEVENT']
  const team = writeFile('team.ics', calendar(...event('DTSTART:20260706T090000Z', 'SUMMARY:Here'), ...bad))

  expect(await serveSeeds(team)).toEqual({
    accounts: ['alice@example.com'],
    titles: ['Here'],
    stderr: `fake-calendar: ${team}: line 12, bad: the event was left out, because the service has no series with FREQ=HOURLY; use DAILY, WEEKLY, MONTHLY or YEARLY\n`,
  })
})

test.each([
  ['the name of the file', 'bob@example.com.ics', [], 'bob@example.com'],
  ['X-WR-CALNAME', 'named.ics', ['X-WR-CALNAME:carol@example.org'], 'carol@example.org'],
])('the owner of the calendar is read from %s', async (_, name, head, owner) => {
  const text = calendar(...head, ...event('DTSTART:20260706T090000Z', 'SUMMARY:Mine'))

  expect(await serveSeeds(writeFile(name, text))).toEqual({ accounts: [owner], titles: ['Mine'], stderr: '' })
})

test('the owner is by default the first account of the seeds before it', async () => {
  const people = writeFile('people.json', JSON.stringify({ accounts: [{ email: 'dana@example.com' }] }))
  const own = writeFile('own.ics', calendar(...event('DTSTART:20260706T090000Z', 'SUMMARY:Own')))

  expect(await serveSeeds(people, own)).toEqual({ accounts: ['dana@example.com'], titles: ['Own'], stderr: '' })
})

test('a time without a zone is in the zone of the calendar in the seeds before', async () => {
  const people = { accounts: [{ email: 'dana@example.com', timeZone: 'Asia/Tokyo' }] }
  const seeds = [
    writeFile('tokyo.json', JSON.stringify(people)),
    writeFile('floating.ics', calendar(...event('DTSTART:20260706T090000', 'RRULE:FREQ=DAILY'))),
  ]
  const { stdout } = await runCommand(['export', '--calendar', 'primary', ...seeds.flatMap((seed) => ['--seed', seed])])

  expect(stdout).toContain('DTSTART;TZID=Asia/Tokyo:20260706T090000')
})

test.each([
  ['without a calendar', 'BEGIN:NOTHING', 'not iCalendar: it has no line BEGIN:VCALENDAR'],
  [
    'that is a reply to an invitation',
    calendar('METHOD:REPLY'),
    'METHOD:REPLY is a message about a meeting, not a calendar',
  ],
])('a file of iCalendar %s is reported in one line with exit code 1', async (_, text, message) => {
  const name = writeFile('wrong.ics', text)

  expect(await runCommand(['--port', '0', '--seed', name])).toEqual({
    ...{ code: 1, stdout: '', stderr: `fake-calendar: ${name}: ${message}\n` },
  })
})

test('export --calendar writes a calendar of a seed to stdout', async () => {
  const seed = writeFile('out.ics', calendar(...event('DTSTART:20260706T090000Z', 'SUMMARY:Out')))
  const { code, stdout, stderr } = await runCommand([
    'export',
    '--calendar',
    'primary',
    '--seed',
    seed,
    '--now',
    '2026-03-02T09:00:00Z',
  ])

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\r\n')).toEqual(
    expect.arrayContaining(['X-WR-CALNAME:alice@example.com', 'DTSTAMP:20260302T090000Z', 'UID:one', 'SUMMARY:Out']),
  )
  expect(await runCommand(['export', '--help'])).toMatchObject({ code: 0, stderr: '' })
})

test.each([
  ['no calendar', ['export'], 'export: requires --calendar CALENDAR (export --help lists the options)'],
  [
    'a calendar that does not exist',
    ['export', '--calendar', 'x'],
    '--calendar: there is no calendar x (only alice@example.com)',
  ],
  ['an invalid instant', ['export', '--calendar', 'x', '--now', 'y'], /^--now: not an instant: y/],
  [
    'an unknown option',
    ['export', '--calender', 'x'],
    "export: Unknown option '--calender'; did you mean '--calendar'? (export --help lists the options)",
  ],
])('export with %s prints one line and exits with 1', async (_, args, message) => {
  const { code, stdout, stderr } = await runCommand(args)

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.replace(/^fake-calendar: /, '').trimEnd()).toMatch(message)
})
