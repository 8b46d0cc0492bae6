import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { HINTS } from '../../../src/control/hints/table.ts'
import { fakeCalendar, launch, run, runCommand } from '../../support/command.ts'
import { lacks } from '../../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-exec-'))
afterAll(() => rmSync(folder, { recursive: true }))

const loop = join(folder, 'loop')
symlinkSync('loop', loop)

const exec = (args: readonly string[], env?: Record<string, string>) => fakeCalendar(['exec', ...args], env)
const nodeCommand = (program: string) => ['--', process.execPath, '-e', program]

test('a command finds its fake through environment variables', async () => {
  const program = `const { FAKE_CALENDAR_URL: url, FAKE_CALENDAR_CONTROL_URL: control, GOOGLE_CALENDAR_EMULATOR_HOST: host } = process.env
    fetch(control + '/health').then((r) => r.json()).then(({ status }) =>
      console.log(status, url === 'http://' + host, control === url + '/_control', process.env.PORT))`

  expect(await exec(nodeCommand(program), { PORT: '4711' })).toEqual({
    code: 0,
    stdout: 'ok true true 4711\n',
    stderr: '',
  })
})

test('the fake follows the server options', async () => {
  const program = `const { FAKE_CALENDAR_URL: url } = process.env
    fetch(url + '/_control/clock').then((r) => r.json()).then(({ now }) => console.log(now))
    fetch(url + '/_control/state').then((r) => r.json()).then(({ accounts }) => console.log(accounts.length > 1))`
  const { code, stdout } = await exec(['--seed', 'team', '--now', '2026-03-02T09:00:00Z', ...nodeCommand(program)])

  expect({ code, lines: stdout.split('\n').sort() }).toEqual({
    code: 0,
    lines: ['', '2026-03-02T09:00:00.000Z', 'true'],
  })
})

/** Starts the opener of the desktop with the address of a consent page and with another one, as programs do that ignore BROWSER. */
const OPENS = `const { spawn } = require('node:child_process')
  const open = (url) => spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { stdio: 'inherit' })
  const server = require('node:http').createServer(({ url }, response) => {
    console.log(new URLSearchParams(url.slice(2)).has('code'))
    response.end(() => process.exit())
  })
  server.listen(0, '127.0.0.1', () => open('https://www.example.com/event').once('exit', () =>
    open('https://accounts.google.com/o/oauth2/v2/auth?client_id=app&response_type=code&scope=openid&redirect_uri=http://127.0.0.1:' +
      server.address().port)))`

test.skipIf(process.platform === 'win32')(
  'a program that opens a consent page by the opener of the desktop signs in, and other pages open as ever',
  async () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    for (const name of ['open', 'xdg-open'])
      writeFileSync(join(bin, name), '#!/bin/sh\necho "opened $1"\n', { mode: 0o755 })

    expect(await exec(nodeCommand(OPENS), { PATH: `${bin}:${process.env.PATH}` })).toEqual({
      code: 0,
      stdout: 'opened https://www.example.com/event\ntrue\n',
      stderr: '',
    })
  },
)

/** Refreshes tokens, the control of revocation in between, and prints each status or error. */
const REFRESHES = `const control = process.env.FAKE_CALENDAR_CONTROL_URL
  const refresh = async (refreshToken) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refreshToken })
    const response = await fetch('https://oauth2.googleapis.com/token', { method: 'POST', body })
    return (await response.json()).error ?? response.status
  }
  const change = async (name) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ account: 'alice@example.com' })
    return (await fetch(control + '/oauth/' + name, { method: 'POST', headers, body })).status
  }
  const all = async () => [await refresh('1//used'), await refresh('1//used'), await refresh('1//' + Math.random())]
  console.log(await refresh('1//used'), await change('revoke'), ...(await all()), await change('consent'), ...(await all()))`

test('11.20 a program under exec cannot refresh after its account is revoked, until the account consents', async () => {
  const program = ['--', process.execPath, '--input-type=module', '-e', REFRESHES]
  expect(await exec(['--intercept', ...program])).toEqual({
    code: 0,
    stdout: '200 200 invalid_grant invalid_grant invalid_grant 200 200 200 200\n',
    stderr: '',
  })
})

const ASKS_WRONGLY = `const list = (query) => fetch(process.env.FAKE_CALENDAR_URL + '/calendar/v3/calendars/primary/events?' + query, {
    headers: { Authorization: 'Bearer alice@example.com' } })
  list('timeMin=2026-03-02').then(() => list('timeMax=2026-03-02')).then(() => list('singleEvent=true'))`

test.each([
  [
    'an account that it lacks is named on stderr',
    'bobb@example.com',
    ', so its first use creates it; did you mean "bob@example.com"?',
  ],
  ['its own account is not', 'bob@example.com', undefined],
])('--as with a seed: %s', async (_, email, end) => {
  const ended = await fakeCalendar(['exec', '--seed', 'team', '--as', email, '--', process.execPath, '--version'])

  expect(ended).toEqual({
    code: 0,
    stdout: `${process.version}\n`,
    stderr: end === undefined ? '' : `fake-calendar: --as: there is no account "${email}"${end}\n`,
  })
})

test('each kind of hint is printed once, with its reason', async () => {
  const hint = 'FC101 timeMin=2026-03-02 needs a time and an offset. Write timeMin=2026-03-02T00:00:00Z'
  expect((await exec(nodeCommand(ASKS_WRONGLY))).stderr.split('\n')).toEqual([
    `fake-calendar: ${hint}. ${HINTS.FC101.why}`,
    expect.stringMatching(/^fake-calendar: FC102 .*singleEvents.* The service silently ignores unknown parameters\.$/),
    '',
  ])
})

test('with --log, each kind of hint is followed by its reason once', async () => {
  const { stderr } = await exec(['--log', ...nodeCommand(ASKS_WRONGLY)])

  expect(stderr.split('\n').filter((line) => line.startsWith('fake-calendar:'))).toEqual([
    `fake-calendar: about FC101: ${HINTS.FC101.why}`,
    `fake-calendar: about FC102: ${HINTS.FC102.why}`,
  ])
  expect(stderr.match(/FC101 timeM/g)).toHaveLength(2)
})

test.each([
  ['the code of a failing command', 'process.exit(3)', 3],
  ['128 and the number of the signal that killed it', "process.kill(process.pid, 'SIGKILL')", 137],
  ['the code for SIGTERM', "process.kill(process.pid, 'SIGTERM')", 143],
])('exec ends with %s, and prints nothing', async (_, program, code) => {
  expect(await exec(nodeCommand(program))).toEqual({ code, stdout: '', stderr: '' })
})

test.each([
  [[], 1, 'exec: requires a command after --, as in: fake-calendar exec -- npm test'],
  [['npm', 'test'], 1, 'exec: requires a command after --, as in: fake-calendar exec -- npm test'],
  [['--'], 1, 'exec: requires a command after --, as in: fake-calendar exec -- npm test'],
  [['--', join(folder, 'none')], 127, `exec: ${join(folder, 'none')}: there is no such command`],
  [['--', folder], 126, `exec: ${folder}: running it is not permitted`],
  [['--', loop], 126, `exec: ${loop}: too many symbolic links encountered`],
  [
    ['--intercpt', '--', 'true'],
    1,
    "exec: Unknown option '--intercpt'; did you mean '--intercept'? (exec --help lists the options)",
  ],
  [
    ['--seed', 'teem', '--', 'true'],
    1,
    'teem: cannot read the seed: there is no such file, and there is no demo world "teem"; did you mean "team"?',
  ],
  [['--allow', 'example.com', '--', 'true'], 1, '--allow: requires --intercept'],
  [
    ['--intercept', '--allow', 'www.googleapis.com', '--', 'true'],
    1,
    "--allow: www.googleapis.com (expected a host that is not the service's own)",
  ],
])('%j prints one line and exits with a code', async (args, code, message) => {
  const reply = await runCommand(['exec', ...args])

  expect(reply).toMatchObject({ code, stdout: '' })
  expect(reply.stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(`fake-calendar: ${message}`)])
})

test('a port in use is reported in one line, and the command does not start', async () => {
  const occupied = createServer().listen(0, '127.0.0.1')
  await once(occupied, 'listening')
  onTestFinished(() => void occupied.close())
  const { port } = occupied.address() as AddressInfo
  const reply = await runCommand(['exec', '--port', String(port), ...nodeCommand("console.log('started')")])

  expect(reply).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: `fake-calendar: cannot listen on 127.0.0.1, port ${port}: the port is taken by another process\n`,
  })
})

test('the command receives the input unchanged', async () => {
  const { printed, stop } = launch(['-c', `echo typed | '${process.execPath}' bin/fake-calendar.js exec -- cat`], {
    command: 'sh',
  })

  expect(await printed(/\n/)).toBe('typed\n')
  await stop()
})

const HANDLES = `
  process.on('SIGINT', () => console.log('interrupted'))
  process.on('SIGTERM', () => { console.log('asked'); setTimeout(() => process.exit(7), 20) })
  setInterval(() => {}, 1000)
  console.log('ready')`

test('a signal reaches the command, whose exit code is kept', async () => {
  const { printed, stop } = launch(['exec', ...nodeCommand(HANDLES)])
  await printed(/ready/)

  expect(await stop('SIGTERM')).toEqual({ code: 7, stdout: 'ready\nasked\n', stderr: '' })
})

test('a second SIGINT ends the command at once', async () => {
  const { printed, kill, stop } = launch(['exec', ...nodeCommand(HANDLES)])
  await printed(/ready/)
  kill('SIGINT')
  await printed(/interrupted/)

  expect(await stop('SIGINT')).toMatchObject({ code: 137, stdout: 'ready\ninterrupted\n' })
})

/** Returns true while a process exists. A zombie counts as ended. */
const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

test.skipIf(process.platform !== 'linux')('remaining processes of a command are ended with it', async () => {
  const program = `const { pid } = require('node:child_process')
    .spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    console.log(pid)
    process.exit()`
  const { code, stdout } = await exec(nodeCommand(program))

  expect(code).toBe(0)
  expect(isRunning(Number(stdout))).toBe(false)
})

const runCurl = (args: readonly string[], env: Record<string, string>) =>
  run(['-sS', ...args], { command: 'curl', env })
const listTemporaryFolders = () => readdirSync(tmpdir()).filter((name) => /^fake-calendar-\w{6}$/.test(name))

test('the certificate files are removed with the process', async () => {
  const { stdout } = await exec(['--intercept', ...nodeCommand('console.log(process.env.NODE_EXTRA_CA_CERTS)')])

  expect(stdout).toContain('authority.pem')
  expect(existsSync(stdout.trim())).toBe(false)
})

test.skipIf(lacks('curl'))('a proxy runs until a signal, and prints its variables', async () => {
  const { printed, stop } = launch(['proxy', '--port', '0', '--proxy-port', '0', '--json'])
  const { url, proxy, env } = JSON.parse(await printed(/\n$/))
  const curl = await runCurl(['https://www.googleapis.com/calendar/v3/colors?key=any'], env)
  const files = listTemporaryFolders().length
  const { code, stderr } = await stop()

  expect(JSON.parse(curl.stdout)).toMatchObject({ kind: 'calendar#colors' })
  expect(env).toMatchObject({ HTTPS_PROXY: proxy, FAKE_CALENDAR_URL: url })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(files).toBeGreaterThan(0)
  expect(existsSync(env.SSL_CERT_FILE)).toBe(false)
})

test('a proxy prints lines for a shell', async () => {
  const { printed, stop } = launch(['proxy', '--port', '0', '--proxy-port', '0'])
  const lines = await printed(/METADATA\w+='none'\n$/)
  await stop()
  const file = join(folder, 'lines.sh')
  writeFileSync(file, lines)
  const { stdout, stderr } = await run(['-c', `. '${file}'; echo "$https_proxy"`], { command: 'sh' })

  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/), stderr: '' })
})
