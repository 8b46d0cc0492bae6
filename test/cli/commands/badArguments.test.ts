import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fakeCalendar, runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-bad-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DEEP = 200_000
const ANN = 'ann@example.com'
const DAY = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
const withAccount = (more: object) => ({ accounts: [{ email: ANN }], ...more })
const withEvent = (event: object) => withAccount({ calendars: [{ id: ANN, events: [event] }] })
const withCalendar = (calendar: object) => withAccount({ calendars: [{ id: 'team', owner: ANN, ...calendar }] })

/** An invalid command line, and a part of the expected line of output. */
const COMMANDS: [args: string[], message: string, env?: Record<string, string>][] = [
  [['--host', ''], '--host: it is empty'],
  [['--host='], '--host: it is empty'],
  [['--host', ' '], '--host: it is empty'],
  [['--host', '999.1.1.1'], 'cannot listen on 999.1.1.1'],
  [['--host', 'local\nhost'], 'cannot listen on local\\nhost'],
  [['--host'], "'--host <value>' argument missing"],
  [['--host', '--json'], "'--host' argument is ambiguous"],
  [['--port', '-1'], "'--port' argument is ambiguous"],
  [['--port=-1'], '--port: not a port: -1'],
  [['--port', '1.5'], '--port: not a port: 1.5'],
  [['--port', '0x50'], '--port: not a port: 0x50'],
  [['--port', '80 '], '--port: not a port: 80'],
  [['--port', '99999'], '--port: not a port: 99999'],
  [['--port', '9'.repeat(400)], '--port: not a port: 999'],
  [['-p', 'x'], '--port: not a port: x'],
  [['--port', '0', '--port', '0'], '--port is given more than once'],
  [['-p', '0', '--port', '0'], '--port is given more than once'],
  [['--now', '2026-03-02T09:00:00Z', '--now', '2026-03-02T10:00:00Z'], '--now is given more than once'],
  [['--json', '--json'], '--json is given more than once'],
  [['--strict', '--strict'], '--strict is given more than once'],
  [['--prot', '1'], "Unknown option '--prot'; did you mean '--port'?"],
  [['--sed', 'team'], "Unknown option '--sed'; did you mean '--seed'?"],
  [['--control-tokn', 'x'], "Unknown option '--control-tokn'; did you mean '--control-token'?"],
  [['--publicUrl', 'x'], "Unknown option '--publicUrl'; did you mean '--public-url'?"],
  [['--no-strict'], "Unknown option '--no-strict'"],
  [['-x'], "Unknown option '-x'"],
  [['--'.concat('x'.repeat(10_000))], 'Unknown option'],
  [['--strict=yes'], "'--strict' does not take an argument"],
  [['--json', 'team'], "Unexpected argument 'team'"],
  [['exce'], "Unexpected argument 'exce' (--help lists the commands and options)"],
  [['--', '--json'], "Unexpected argument '--json'"],
  [['--now', 'today'], '--now: not an instant: today'],
  [['--now', ''], '--now: not an instant'],
  [['--now', '2026-02-30T09:00:00Z'], '--now: not an instant: 2026-02-30T09:00:00Z'],
  [['--anonymous', ''], '--anonymous: not an e-mail address'],
  [['--anonymous', 'a b@example.com'], '--anonymous: not an e-mail address'],
  [['--public-url', ''], '--public-url: not a URL'],
  [['--public-url', 'ftp://example.com'], '--public-url: not a URL'],
  [['--public-url', 'https://example.com/?a=b'], '--public-url: has a query or a fragment'],
  [['--public-url', 'http://[::1'], '--public-url: not a URL'],
  [['--control-token', ''], '--control-token: it is empty'],
  [['--control-token='], '--control-token: it is empty'],
  [['--control-token', '', '--control-host', 'calendar'], '--control-token: it is empty'],
  [['--control-token', 'x', '--control-host', ''], '--control-host: it is empty'],
  [['--worlds', ''], '--worlds: not a world name: (empty)'],
  [['--world-idle', 'soon'], '--world-idle: soon (expected a form such as 1h)'],
  [['--world-idle', '0s'], '--world-idle: 0s (expected a form such as 1h)'],
  [['--worlds', 'a,,b'], '--worlds: not a world name: (empty)'],
  [['--worlds', 'creates an event'], '--worlds: not a world name: creates an event'],
  [['--worlds', 'x'.repeat(65)], '--worlds: not a world name'],
  [['--webhooks', ''], '--webhooks:'],
  [['--webhook-ca', ''], '--webhook-ca: it is empty'],
  [['--seed', ''], '--seed: it is empty'],
  [['--seed', 'team', '--seed', ''], '--seed: it is empty'],
  [['--seed', 'no/such.json'], 'no/such.json: cannot read the seed: there is no such file'],
  [['--seed', 'tema'], 'tema: cannot read the seed: there is no such file'],
  [['--seed', folder], 'this is a folder'],
  [['--seed', 'x'.repeat(5000)], 'cannot read the seed'],
  [['--seed', 'a\nb'], 'a\\nb: cannot read the seed'],
  [[], 'PORT: not a port: x', { PORT: 'x' }],
  [[], 'PORT: not a port: -1', { PORT: '-1' }],
  [[], 'PORT: not a port: 65536', { PORT: '65536' }],
  [[], 'PORT: not a port: tcp://10.0.0.1:80', { PORT: 'tcp://10.0.0.1:80' }],
]

/** The content of an invalid seed file, and a part of the expected line of output. */
const SEEDS: [name: string, content: unknown, message: string][] = [
  ['empty', '', 'line 1, column 1: not JSON'],
  ['bytes', Buffer.from(Array.from({ length: 256 }, (_, at) => 255 - at)), 'line 1, column 1: not JSON'],
  ['utf16', Buffer.from('\uFEFF{"accounts":[]}', 'utf16le'), 'line 1, column 1: not JSON'],
  ['zeros', Buffer.alloc(100), 'line 1, column 1: not JSON'],
  ['mark', '\uFEFF', 'line 1, column 1: not JSON'],
  ['markThenOpen', '\uFEFF{', 'line 1, column 2: not JSON'],
  ['yaml', 'accounts:\n  - email: ann@example.com\n', 'line 1, column 1: not JSON'],
  ['deepOpen', '['.repeat(DEEP), 'not JSON: more than 100 levels inside each other'],
  ['deepOpenObjects', '{"a":'.repeat(DEEP), 'not JSON: more than 100 levels inside each other'],
  ['deep', '['.repeat(DEEP) + ']'.repeat(DEEP), 'nested more than 100 levels deep'],
  ['deepObjects', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`, 'nested more than 100 levels deep'],
  ['deepInside', `{"accounts":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`, 'nested more than 100 levels deep'],
  ['null', null, 'seed: expected an object; got null'],
  ['number', 1, 'seed: expected an object; got 1'],
  ['text', '"team"', 'seed: expected an object; got "team"'],
  ['list', [withAccount({})], 'seed: expected an object; got a list'],
  ['proto', '{"__proto__":{"x":1}}', 'seed: there is no "__proto__"'],
  ['constructor', '{"constructor":1}', 'seed: there is no "constructor"'],
  ['infinite', '{"accounts":1e999}', 'accounts: expected a list'],
  ['accountsObject', { accounts: {} }, 'accounts: expected a list'],
  ['accountText', { accounts: [ANN] }, 'accounts[0]: expected an object'],
  ['noAddress', { accounts: [{}] }, 'accounts[0].email: expected a text'],
  ['accountZone', { accounts: [{ email: ANN, timeZone: 'Mars/Phobos' }] }, 'no time zone Mars/Phobos'],
  ['calendarZone', withCalendar({ timeZone: 'Europe' }), 'no time zone Europe'],
  ['eventZone', withEvent({ ...DAY, start: { dateTime: '2026-03-02T09:00:00', timeZone: 'X' } }), 'events[0]'],
  ['noTimes', withEvent({ summary: 'x' }), 'calendars[0].events[0]: Missing end time.'],
  ['noSuchDay', withEvent({ ...DAY, start: { date: '2026-02-30' } }), 'calendars[0].events[0]'],
  ['backwards', withEvent({ start: DAY.end, end: DAY.start }), 'The specified time range is empty.'],
  ['rule', withEvent({ ...DAY, recurrence: ['RRULE:FREQ=NEVER'] }), 'Invalid recurrence rule.'],
  ['guest', withEvent({ ...DAY, attendees: [{ email: 'nobody' }] }), 'Invalid attendee email.'],
  ['guests', withEvent({ ...DAY, attendees: [{ email: ANN, additionalGuests: '9'.repeat(400) }] }), 'additionalGuests'],
  ['type', withEvent({ ...DAY, eventType: 'party' }), 'calendars[0].events[0].eventType'],
  ['orphan', withEvent({ ...DAY, recurringEventId: 'none', originalStartTime: DAY.start }), 'no such instance'],
  ['anchor', { anchor: 'yesterday' }, 'anchor: expected a date, such as 2026-03-02; got "yesterday"'],
  ['clock', { clock: { mode: 'frozen', now: 'never' } }, 'clock.now'],
  ['farClock', { clock: { mode: 'frozen', now: '+275760-09-12T00:00:00Z' } }, 'clock.now'],
  ['counters', { counters: {} }, 'counters.revision'],
  ['setting', { accounts: [{ email: ANN, settings: { nonsense: 'x' } }] }, 'no setting nonsense'],
  ['keys', { apiKeys: [1] }, 'apiKeys[0]'],
  ['tokens', withAccount({ tokens: [{ token: 'x', account: ANN, scopes: 'all' }] }), 'tokens[0].scopes'],
  ['oauth', { oauth: { clients: 1 } }, 'oauth.clients'],
  [
    'tornState',
    { counters: { revision: 1, expiredUpTo: 0, ids: 1, epoch: 0 }, ...withEvent({ id: 'torn0' }) },
    'tornState.json: ',
  ],
]

type Start = { name: string; args: string[]; message: string; env?: Record<string, string> | undefined }

const isOneLine = (stderr: string): boolean =>
  /^fake-calendar: [^\n]+\n$/.test(stderr) && !/\n?\s+at .*:\d+:\d+/.test(stderr)

/** Expects each start to end with exit code 1 and one line on stderr that names the fault. */
async function expectOneLineEach(starts: readonly Start[]): Promise<void> {
  const others: object[] = []
  for (const { name, args, message, env } of starts) {
    const end = await runCommand(args, env)
    const isExpected = isOneLine(end.stderr) && end.code === 1 && end.stdout === '' && end.stderr.includes(message)
    if (!isExpected) others.push({ name, message, ...end })
  }
  expect(others).toEqual([])
}

const commandStarts = COMMANDS.map(([args, message, env]) => ({
  name: args.join(' ').slice(0, 80),
  args,
  message,
  env,
}))

test(`each of ${COMMANDS.length} wrong command lines prints one line`, { timeout: 120_000 }, async () => {
  expect(commandStarts.length).toBeGreaterThanOrEqual(55)
  await expectOneLineEach(commandStarts)
})

test(`each of ${SEEDS.length} wrong seed files prints one line`, { timeout: 120_000 }, async () => {
  const starts = SEEDS.map(([name, content, message]) => {
    const path = join(folder, `${name}.json`)
    writeFileSync(path, typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content))
    return { name, args: ['--port', '0', '--seed', path], message }
  })
  await expectOneLineEach(starts)
})

test('a process of the installed command prints the same line', async () => {
  for (const { args, message, env } of [commandStarts[0], commandStarts.at(-1)] as Start[]) {
    const { code, stdout, stderr } = await fakeCalendar(args, env)
    expect({ code, stdout, isOneLine: isOneLine(stderr) }).toEqual({ code: 1, stdout: '', isOneLine: true })
    expect(stderr).toContain(message)
  }
})
