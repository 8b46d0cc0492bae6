import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readCalendarFile } from '../../../src/cli/seeds/seedFile.ts'
import { toCalendarFiles } from '../../../src/cli/serverOptions.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, openCalendar } from '../../support/calendar.ts'
import { runCommand } from '../../support/command.ts'
import { calendar, event } from './importEvents.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-import-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, ...lines: string[]) => {
  writeFileSync(join(folder, name), calendar(...lines))
  return join(folder, name)
}
const START = 'DTSTART:20260706T090000Z'
const ANN = 'ann@example.com'
const people: Seed = {
  accounts: [{ email: ANN }],
  calendars: [{ id: 'club@group.calendar.google.com', owner: ANN, summary: 'Club' }],
}

/** Reads files as the command does, and lists the calendars that hold events: owner, summary and titles. */
async function imported(options: Parameters<typeof toCalendarFiles>[0], before: readonly Seed[] = []) {
  const seeds = [...before]
  const warnings: string[] = []
  for (const one of toCalendarFiles(options))
    seeds.push(await readCalendarFile(one, seeds, (line) => warnings.push(line)))
  const { fake } = openCalendar({ seed: seeds })
  const calendars = (fake.state().calendars ?? []).filter(({ events = [] }) => events.length > 0)
  return {
    warnings,
    calendars: calendars.map(({ id, dataOwner, summary, events = [] }) => [
      id.endsWith('@group.calendar.google.com') ? summary : 'primary',
      dataOwner ?? id,
      events.map((one) => one.summary),
    ]),
  }
}

test('a file without an owner and a calendar becomes a calendar of its own, as does each of two files', async () => {
  const work = file('work.ics', 'X-WR-CALNAME:Same', ...event(START, 'SUMMARY:Work'))
  const home = file('home.ics', 'X-WR-CALNAME:Same', ...event(START, 'SUMMARY:Home'))
  const plain = file('plain.ics', ...event(START, 'SUMMARY:Plain'))

  expect((await imported({ ics: [work, home, plain] })).calendars).toEqual([
    ['Same', ALICE, ['Work']],
    ['Same', ALICE, ['Home']],
    ['plain', ALICE, ['Plain']],
  ])
  expect((await imported({ ics: [plain] }, [people])).calendars).toEqual([['plain', ANN, ['Plain']]])
})

test('--owner and --calendar select the calendar: primary, an existing one, or a new one', async () => {
  const one = file('one.ics', ...event(START, 'SUMMARY:One'))
  const owner = [ANN]

  expect((await imported({ ics: [one], owner, calendar: ['primary'] })).calendars).toEqual([['primary', ANN, ['One']]])
  expect((await imported({ ics: [one], owner, calendar: ['Club'] }, [people])).calendars).toEqual([
    ['Club', ANN, ['One']],
  ])
  expect((await imported({ ics: [one], owner, calendar: ['New'] }, [people])).calendars).toEqual([
    ['New', ANN, ['One']],
  ])
  expect((await imported({ ics: [one], owner })).calendars).toEqual([['one', ANN, ['One']]])
})

test('two files can have an owner and a calendar each, or share one', async () => {
  const ics = [file('a.ics', ...event(START, 'SUMMARY:A')), file('b.ics', 'BEGIN:VEVENT', 'UID:b', START, 'END:VEVENT')]

  expect((await imported({ ics, owner: [ANN, ALICE], calendar: ['X', 'primary'] })).calendars).toEqual([
    ['X', ANN, ['A']],
    ['primary', ALICE, [undefined]],
  ])
  expect((await imported({ ics, calendar: ['Both'] })).calendars).toEqual([['Both', ALICE, ['A', undefined]]])
})

test('an event that the calendar already has is left out and reported', async () => {
  const one = file('twice.ics', ...event(START, 'SUMMARY:One'))
  const { calendars, warnings } = await imported({ ics: [one, one], calendar: ['Both'] })

  expect(calendars).toEqual([['Both', ALICE, ['One']]])
  expect(warnings).toEqual([
    `${one}: line 4, one: the event was left out, because the calendar already has an event with this UID; delete that event first, or change the UID`,
  ])
})

test.each([
  ['--owner without --ics', ['--owner', ANN], '--owner: requires --ics'],
  ['an owner that is not an address', ['--ics', 'x.ics', '--owner', 'ann'], '--owner: not an e-mail address: ann'],
  [
    'two calendars for three files',
    ['--ics', 'x', '--ics', 'y', '--ics', 'z', '--calendar', 'A', '--calendar', 'B'],
    '--calendar: 2 for 3 files of --ics (expected one, or one for each)',
  ],
  ['a missing file', ['--ics', 'no-such.ics'], 'no-such.ics: cannot read the seed: there is no such file'],
])('%s is one line, and exit code 1', async (_, args, message) => {
  expect(await runCommand(['--port', '0', ...args])).toEqual({
    code: 1,
    stdout: '',
    stderr: `fake-calendar: ${message}\n`,
  })
})

test('the control route imports iCalendar into a world, with a report', async () => {
  const { fake, as, anonymous } = openCalendar({ seed: people })
  const text = calendar('X-WR-CALNAME:Trips', ...event(START, 'SUMMARY:Trip'), 'BEGIN:VTODO', 'UID:t', 'END:VTODO')
  const response = await fake.request('/_control/importICalendar', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  const body = await response.json()

  expect([response.status, body.added, body.report]).toEqual([
    200,
    1,
    [{ uid: 't', line: 10, reason: 'the VTODO was left out, because only events are read' }],
  ])
  const list = await as(ANN).get(`/calendars/${encodeURIComponent(body.calendarId)}/events`)
  expect([list.body.summary, list.body.items.map((one: { summary: string }) => one.summary)]).toEqual([
    'Trips',
    ['Trip'],
  ])
  const again = await anonymous.post('/_control/importICalendar', { text, owner: ANN, calendar: 'Trips' })
  expect([again.status, again.body.added]).toEqual([200, 0])
  expect((await anonymous.post('/_control/importICalendar', { text: 'nothing' })).status).toBe(400)
})

test('the control route accepts a file as its body, and the other fields as parameters', async () => {
  const { fake, as } = openCalendar({ seed: people })
  const text = calendar(...event(START, 'SUMMARY:Trip'))
  const send = (query: string, type: string) =>
    fake.request(`/_control/importICalendar?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: text,
    })
  const response = await send(`owner=${ANN}&calendar=Trips`, 'text/calendar; charset=utf-8')
  const { calendarId, added } = await response.json()
  const list = await as(ANN).get(`/calendars/${encodeURIComponent(calendarId)}/events`)
  const refused = await Promise.all([
    send('alarms=loud', 'text/calendar'),
    send(`text=${encodeURIComponent(text)}`, 'text/plain'),
    fake.request('/_control/seed', { method: 'POST', headers: { 'Content-Type': 'text/calendar' }, body: text }),
  ])

  expect([response.status, added, list.body.summary]).toEqual([200, 1, 'Trips'])
  expect(refused.map(({ status }) => status)).toEqual([400, 415, 415])
})

test('a file is imported into a running world from its bytes in windows-1252', async () => {
  const { fake } = openCalendar()
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTART:20260706T090000Z',
    'SUMMARY:Caf\u00e9',
    'END:VEVENT',
  ]
  const bytes = Buffer.from([...lines, 'END:VCALENDAR', ''].join('\r\n'), 'latin1')

  const { added } = await fake.importICalendar(bytes, { owner: ANN, calendar: 'primary' })

  expect(added).toBe(1)
  expect(fake.diff().text).toContain('Café')
})
