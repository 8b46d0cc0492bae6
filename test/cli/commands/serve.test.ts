import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { COMMAND, fakeCalendar, launch, openServer, run, runCommand, serve } from '../../support/command.ts'
import { lacks } from '../../support/programs.ts'

const ALICE = 'alice@example.com'
const BOB = 'bob@example.com'
const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

function writeFile(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const withToken = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

/** Holds a port while an action runs. */
async function withBusyPort<T>(act: (port: number) => Promise<T>): Promise<T> {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  try {
    return await act((holder.address() as AddressInfo).port)
  } finally {
    await new Promise((resolve) => holder.close(resolve))
  }
}

/** Returns the first response of a server that may still be starting. */
async function waitForResponse(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url)
    } catch (error) {
      if (!String((error as Error).cause).includes('ECONNREFUSED')) throw error
    }
  }
}

test.skipIf(lacks('curl'))('a start prints the base URL, the accounts, and a curl line that works', async () => {
  const seed = writeFile('two.json', { accounts: [{ email: ALICE }, { email: BOB }] })
  const { printed, stop } = launch(['--port', '0', '--seed', seed])

  const text = await printed(/\n\n$/)
  const [, url = 'no URL'] = /Base URL {3}(http:\/\/127\.0\.0\.1:\d+\/calendar\/v3)\n/.exec(text) ?? []
  const [curl = ''] = /curl .*/.exec(text) ?? []
  const { stdout } = await run(['-c', curl], { command: 'sh' })

  expect(text).toMatch(/Accounts {3}alice@example\.com\n +bob@example\.com\n/)
  expect(curl).toContain(url)
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'calendar#calendarList', items: [{ id: ALICE, primary: true }] })
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})

test('--json prints one line', async () => {
  const { line, url, rootUrl, baseUrl, host, port, accounts } = await openServer()

  const { status } = await fetch(`${baseUrl}/users/me/calendarList`, withToken(ALICE))

  expect(line.trimEnd()).not.toContain('\n')
  expect({ url, rootUrl, baseUrl, host, accounts }).toEqual({
    url: `http://127.0.0.1:${port}`,
    rootUrl: `http://127.0.0.1:${port}/`,
    baseUrl: `http://127.0.0.1:${port}/calendar/v3`,
    host: '127.0.0.1',
    accounts: [ALICE],
  })
  expect(status).toBe(200)
})

test('--quiet prints nothing', async () => {
  const port = await withBusyPort(async (port) => port)
  const { stop } = launch(['--port', String(port), '--quiet'])

  const { status } = await waitForResponse(`http://127.0.0.1:${port}/_control/health`)

  expect(status).toBe(200)
  expect(await stop()).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('PORT sets the port, and --port takes precedence', async () => {
  await withBusyPort(async (port) => {
    const second = await runCommand([], { PORT: String(port) })
    const { stop, port: other } = await serve([], { env: { PORT: String(port) } })
    await stop()

    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(`port ${port}`) })
    expect(other).not.toBe(port)
  })
})

test('--host is the address to listen on', async () => {
  const { host, baseUrl } = await openServer(['--host', 'localhost'])
  const { status } = await fetch(`${baseUrl}/users/me/calendarList`, withToken(ALICE))

  expect([host, status]).toEqual(['localhost', 200])
})

test('a server that listens on all addresses prints an address that works', async () => {
  const { host, port, rootUrl } = await openServer(['--host', '0.0.0.0'])

  expect([host, rootUrl]).toEqual(['0.0.0.0', `http://127.0.0.1:${port}/`])
})

test('absolute URLs begin with --public-url', async () => {
  const { rootUrl } = await openServer(['--public-url', 'https://calendar.example.com/'])
  const document = await (await fetch(`${rootUrl}discovery/v1/apis/calendar/v3/rest`)).json()

  expect(document.rootUrl).toBe('https://calendar.example.com/')
})

test('--control-token protects the control routes, and --consent shows a page', async () => {
  const { rootUrl } = await openServer(['--control-token', 'sesame', '--consent'])
  const control = (headers: Record<string, string>) => fetch(`${rootUrl}_control/state`, { headers })
  const statuses = [await control({}), await control({ 'X-Fake-Control-Token': 'sesame' })].map(({ status }) => status)
  const query = 'client_id=c&response_type=code&scope=openid&redirect_uri=http://localhost/back'
  const page = await (await fetch(`${rootUrl}o/oauth2/v2/auth?${query}`)).text()

  expect(statuses).toEqual([401, 200])
  expect(page).toContain('Choose an account')
})

test.each([
  [[], 1],
  [['--strict'], 0],
])('with %j, the hint on bogus tokens is printed %i times, and no other hint', async (options, times) => {
  const { stop, baseUrl } = await serve([...options])
  const read = async (token: string, query = '') =>
    (await fetch(`${baseUrl}/calendars/primary/events${query}`, withToken(token))).status
  const statuses = [await read('bogus'), await read('bogus'), await read(ALICE, '?singleEvent=true')]
  const { stderr } = await stop()

  expect(statuses).toEqual(options.includes('--strict') ? [401, 401, 401] : [200, 200, 200])
  expect(stderr.match(/FC\d+/g) ?? []).toEqual(Array(times).fill('FC302'))
})

test('--control-host allows another host name for the control routes, with the token', async () => {
  const { port } = await openServer(['--control-token', 'x', '--control-host', 'calendar', '--control-host', 'fake'])
  const status = async (host: string, token = '') => {
    const headers = { Host: host, 'X-Fake-Control-Token': token }
    const asking = get({ host: '127.0.0.1', port, path: '/_control/state', headers, agent: false })
    const [reply] = (await once(asking, 'response')) as [IncomingMessage]
    return reply.resume().statusCode
  }
  const statuses = [await status('calendar', 'x'), await status(`fake:${port}`, 'x'), await status('fake')]
  const other = await status('evil.example', 'x')

  expect([...statuses, other]).toEqual([200, 200, 401, 403])
})

test('--worlds limits the worlds, and the first is printed', async () => {
  const { url, rootUrl, baseUrl, port, accounts } = await openServer(['--worlds', 'blue,red'])
  const origin = `http://127.0.0.1:${port}`
  const status = async (base: string) => (await fetch(`${base}/users/me/calendarList`, withToken(ALICE))).status
  const statuses = [await status(baseUrl), await status(`${origin}/w/red`), await status(origin)]

  expect({ url, rootUrl, baseUrl, accounts }).toEqual({
    url: origin,
    rootUrl: `${origin}/w/blue/`,
    baseUrl: `${origin}/w/blue/calendar/v3`,
    accounts: [ALICE],
  })
  expect(statuses).toEqual([200, 200, 404])
})

test('--seed may be repeated, and each seed adds to those before', async () => {
  const people = writeFile('people.json', { accounts: [{ email: ALICE }, { email: BOB }] })
  const team = writeFile('rooms.json', { calendars: [{ id: 'rooms@example.com', owner: BOB, summary: 'Rooms' }] })

  const { baseUrl, accounts } = await openServer(['--seed', people, '--seed', team])
  const rooms = await (await fetch(`${baseUrl}/calendars/rooms@example.com`, withToken(BOB))).json()

  expect(accounts).toEqual([ALICE, BOB])
  expect(rooms).toMatchObject({ summary: 'Rooms', dataOwner: BOB })
})

test('--seed accepts the name of a fixture', async () => {
  const { accounts } = await openServer(['--seed', 'default'])

  expect(accounts).toEqual([ALICE])
})

test('a seed may begin with a byte order mark', async () => {
  const seed = writeFile('marked.json', `\uFEFF${JSON.stringify({ accounts: [{ email: BOB }] })}`)
  const { accounts } = await openServer(['--seed', seed])

  expect(accounts).toEqual([BOB])
})

test('--now freezes the clock', async () => {
  const { rootUrl } = await openServer(['--now', '2026-03-02T09:00:00+01:00'])
  const clock = await (await fetch(`${rootUrl}_control/clock`)).json()

  expect(clock).toEqual({ mode: 'frozen', now: '2026-03-02T08:00:00.000Z' })
})

test.skipIf(lacks('curl'))('--strict accepts the tokens that a seed names, and the curl line uses one', async () => {
  const seed = writeFile('strict.json', { accounts: [{ email: ALICE }], tokens: [{ token: 'secret', account: ALICE }] })
  const { printed, stop } = launch(['--port', '0', '--strict', '--seed', seed])

  const [curl = ''] = /curl .*/.exec(await printed(/\n\n$/)) ?? []
  const [, list = ''] = /'(http[^']*)'/.exec(curl) ?? []
  const { stdout } = await run(['-c', curl], { command: 'sh' })
  const { status } = await fetch(list, withToken(ALICE))
  await stop()

  expect(JSON.parse(stdout)).toMatchObject({ items: [{ id: ALICE }] })
  expect(status).toBe(401)
})

test.skipIf(lacks('curl'))('--strict without tokens prints a curl line that works', async () => {
  const { printed, stop } = launch(['--port', '0', '--strict'])

  const [curl = ''] = /curl .*/.exec(await printed(/\n\n$/)) ?? []
  const { stdout } = await run(['-c', curl], { command: 'sh' })
  await stop()

  expect(JSON.parse(stdout)).toEqual({ status: 'ok', world: 'default' })
})

test('--anonymous sets the account of requests without credentials', async () => {
  const { baseUrl } = await openServer(['--anonymous', BOB])
  const calendar = await (await fetch(`${baseUrl}/calendars/primary`)).json()

  expect(calendar).toMatchObject({ id: BOB })
})

test.each([
  ['an open server', [], ', so its first use creates it; did you mean "bob@example.com"?'],
  ['--strict', ['--strict'], '; did you mean "bob@example.com"?'],
])('an account of --anonymous that no seed has is named on stderr: %s', async (_, options, end) => {
  const { code, stderr } = await runCommand([
    '--port',
    '0',
    '--seed',
    'team',
    '--anonymous',
    'bobb@example.com',
    ...options,
  ])

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `fake-calendar: --anonymous: there is no account "bobb@example.com"${end}\n`,
  })
})

test.each([
  ['--quiet', ['--quiet', '--seed', 'team', '--anonymous', 'bobb@example.com']],
  ['an account of the seed', ['--seed', 'team', '--anonymous', 'Bob@Example.com']],
  ['no seed', ['--anonymous', 'bob@example.com']],
])('--anonymous prints nothing on stderr: %s', async (_, options) => {
  expect(await runCommand(['--port', '0', ...options])).toMatchObject({ code: 0, stderr: '' })
})

test('without --anonymous a request needs credentials', async () => {
  const { baseUrl } = await openServer()
  const { status } = await fetch(`${baseUrl}/calendars/primary`)

  expect(status).toBe(401)
})

test.each(['--help', '-h'])('%s lists every option', async (option) => {
  const { code, stdout, stderr } = await runCommand([option])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const name of ['port', 'host', 'seed', 'now', 'strict', 'anonymous', 'quiet', 'json', 'help', 'version']) {
    expect(stdout).toContain(`--${name}`)
  }
})

test.each(['--version', '-v'])('%s prints the version', async (option) => {
  expect(await fakeCalendar([option])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the server with 0 while connections are open', async (signal) => {
  const { stop, baseUrl } = await serve()
  const agent = new Agent({ keepAlive: true })
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(`${baseUrl}/users/me/calendarList`, { agent, ...withToken(ALICE) }, resolve),
  )
  response.resume()

  expect(await stop(signal)).toMatchObject({ code: 0, stderr: '' })
  agent.destroy()
})

test('SIGTERM ends the server during a hanging request, an open stream and a wait', async () => {
  const { stop, url } = await serve()
  const json = { 'Content-Type': 'application/json' }
  await fetch(`${url}/_control/faults`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ on: 'colors.get', do: { hang: true } }),
  })
  const stream = await fetch(`${url}/_control/calls/stream?since=0`)
  const open = [
    fetch(`${url}/_control/changes?wait=60s`),
    fetch(`${url}/calendar/v3/colors?key=any`),
    stream.text(),
  ].map((reply) => reply.catch(() => undefined))

  expect(await stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  await Promise.all(open)
})

const cases: [title: string, args: string[], message: string][] = [
  [
    'an unknown option',
    ['--prot', '1'],
    "Unknown option '--prot'; did you mean '--port'? (--help lists the commands and options)",
  ],
  ['an unexpected argument', ['serve'], "Unexpected argument 'serve' (--help lists the commands and options)"],
  [
    'an option without its value',
    ['--port'],
    "Option '-p, --port <value>' argument missing (--help lists the commands and options)",
  ],
  ['a port that is not a number', ['--port', 'http'], '--port: not a port: http (expected a number from 0 to 65535)'],
  [
    'an invalid public URL',
    ['--public-url', 'calendar'],
    '--public-url: not a URL: calendar (expected a form such as https://calendar.example.com)',
  ],
  ['a port out of range', ['--port', '65536'], '--port: not a port: 65536 (expected a number from 0 to 65535)'],
  ['an empty port', ['--port', ''], '--port: not a port:  (expected a number from 0 to 65535)'],
  [
    'a --now without an offset',
    ['--now', '2026-03-02'],
    '--now: not an instant: 2026-03-02 (expected a form such as 2026-03-02T09:00:00Z)',
  ],
  ['an invalid e-mail address', ['--anonymous', 'alice'], '--anonymous: not an e-mail address: alice'],
  ['a journal size that is not a number', ['--journal', 'all'], '--journal: all (expected a number from 0 to 1000000)'],
  [
    'an unknown mode of conferences',
    ['--conferences', 'soon'],
    '--conferences: soon (expected nextRequest, immediate or manual)',
  ],
  ['an invalid timeout', ['--webhook-timeout', 'soon'], '--webhook-timeout: soon (expected a form such as 10s)'],
  [
    'a file of certificates that does not exist',
    ['--webhook-ca', 'no.pem'],
    'no.pem: cannot read the certificates: there is no such file',
  ],
  ['a file without certificates', ['--webhook-ca', 'package.json'], 'package.json: not a file of PEM certificates'],
  ['an unknown value of --webhooks', ['--webhooks', 'home'], '--webhooks: home (expected loopback or any)'],
  ['a control host without a token', ['--control-host', 'calendar'], '--control-host: requires --control-token'],
  ['an invalid name of a world', ['--worlds', 'a,b c'], '--worlds: not a world name: b c'],
  ['an empty name of a world', ['--worlds', 'a,'], '--worlds: not a world name: (empty)'],
  [
    'a seed that does not exist',
    ['--seed', 'no/such.json'],
    'no/such.json: cannot read the seed: there is no such file',
  ],
  [
    'a fixture that does not exist',
    ['--seed', 'nobody'],
    'nobody: cannot read the seed: there is no such file, and there is no demo world "nobody"; did you mean "company"? There are default, company, team, clinic, school, heavy',
  ],
  ['a folder for a seed', ['--seed', folder], `${folder}: cannot read the seed: this is a folder`],
]

test.each(cases)('%s prints one line and exits with 1', async (_, args, message) => {
  expect(await runCommand(args)).toEqual({ code: 1, stdout: '', stderr: `fake-calendar: ${message}\n` })
})

test.each([
  [[], { PORT: 'x' }, 'PORT: not a port: x (expected a number from 0 to 65535)'],
  [[], { FAKE_CALENDAR_CONTROL_HOST: 'a' }, 'FAKE_CALENDAR_CONTROL_HOST: requires --control-token'],
  [['--control-token', 'x'], { FAKE_CALENDAR_CONTROL_HOST: 'a,,b' }, 'FAKE_CALENDAR_CONTROL_HOST: it is empty'],
])('the arguments %j and the variables %j print one line and exit with 1', async (args, env, message) => {
  const { code, stderr } = await runCommand(args, env)

  expect(code).toBe(1)
  expect(stderr).toMatch(new RegExp(`^fake-calendar: ${message.replace(/[()]/g, '\\$&')}.*\n$`))
})

const seeds: [title: string, content: unknown, message: string][] = [
  ['cut short', '{\n  "accounts": [', 'line 2, column 16: not JSON: expected "]"'],
  ['with a trailing comma', '{\n  "accounts": [],\n}', 'line 3, column 1: not JSON: expected a name in double quotes'],
  ['with a missing comma', '{ "accounts": [] "groups": [] }', 'line 1, column 18: not JSON: expected ","'],
  ['with a comment', '[] // none', 'line 1, column 4: not JSON: expected no comment'],
  ['with an unclosed string', '{ "accounts', 'line 1, column 3: not JSON: expected a closed string'],
  ['with a bare word', '{ "accounts": None }', 'line 1, column 15: not JSON: expected a value'],
  ['that is empty', '', 'line 1, column 1: not JSON: expected a value'],
  ['that is not an object', [], 'seed: expected an object; got []'],
  [
    'with an unknown field',
    { acounts: [] },
    'seed: there is no "acounts"; did you mean "accounts"? There are $schema, anchor, clock, conferences, accounts, groups, calendars, channels, mail, tokens, apiKeys, oauth, files',
  ],
  [
    'with an invalid address',
    { accounts: [{ email: 'alice' }] },
    'accounts[0].email: expected an address, such as alice@example.com; got "alice"',
  ],
  [
    'with a wrong type in a nested field',
    { calendars: [{ id: ALICE, events: [{ summary: {} }] }] },
    'calendars[0].events[0].summary: expected a text; got {}',
  ],
  [
    'with an owner without an account',
    { calendars: [{ id: 'x', owner: BOB }] },
    `calendars[0]: Invalid value for: owner: there is no account ${BOB}`,
  ],
]

test.each(seeds)('a seed %s is reported in one line with its place and exit code 1', async (_, content, message) => {
  const seed = writeFile('bad.json', content)

  expect(await runCommand(['--port', '0', '--seed', 'default', '--seed', seed])).toEqual({
    code: 1,
    stdout: '',
    stderr: `fake-calendar: ${seed}: ${message}\n`,
  })
})

test('a port in use is reported in one line with exit code 1', async () => {
  await withBusyPort(async (port) => {
    const stderr = `fake-calendar: cannot listen on 127.0.0.1, port ${port}: the port is taken by another process\n`
    expect(await runCommand(['--port', String(port)])).toEqual({ code: 1, stdout: '', stderr })
  })
})

test('a host of another machine is reported in one line with exit code 1', async () => {
  const stderr = 'fake-calendar: cannot listen on 192.0.2.1, port 0: this machine has no such address\n'
  expect(await runCommand(['--host', '192.0.2.1', '--port', '0'])).toEqual({ code: 1, stdout: '', stderr })
})

/** The command with another reported version of Node. */
const onNode = (version: string) => {
  const other = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return run(['--import', `data:text/javascript,${other}`, COMMAND, '--version'])
}

test.each(['18.20.8', '20.18.3', '21.7.3', '22.2.0', '22.11.0', '23.11.1'])(
  'the unsupported Node %s is reported in one line with exit code 1',
  async (version) => {
    const { code, stdout, stderr } = await onNode(version)

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`fake-calendar: needs Node.js 20.19, 22.12, or 24 and later; this is ${version}\n`)
  },
)

test.each(['20.19.0', '22.12.0', '24.0.0', '25.1.0'])('Node %s is supported, and starts', async (version) => {
  expect(await onNode(version)).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test('package.json requires the Node versions that CI runs', () => {
  const ci = readFileSync('.ci/run', 'utf8')
  const [, floors = ''] = /^floors=\((.*)\)$/m.exec(ci) ?? []

  expect(manifest.engines.node).toBe('^20.19.0 || ^22.12.0 || >=24.0.0')
  expect(floors.split(' ')).toEqual([...manifest.engines.node.matchAll(/\d+\.\d+\.\d+/g)].map(([floor]) => floor))
})

test('--log prints a line for each request on stderr, and leaves stdout unchanged', async () => {
  for (const [output, stdout] of [
    ['--json', /^\{.*\}\n$/],
    ['--quiet', /^$/],
  ] as const) {
    const port = output === '--json' ? '0' : await withBusyPort(async (free) => String(free))
    const server = launch(['--port', port, '--log', output, '--now', '2026-03-02T09:00:00Z'])
    const url = output === '--json' ? JSON.parse(await server.printed(/\n/)).url : `http://127.0.0.1:${port}`
    await waitForResponse(`${url}/_control/health`)
    await fetch(`${url}/calendar/v3/calendars/primary/events?timeMin=2026-01-01&access_token=${ALICE}`)
    const ended = await server.stop()

    expect(ended.stdout).toMatch(stdout)
    expect(ended.stderr).toMatch(
      /^2026-03-02T09:00:00\.000Z default alice@example\.com events\.list GET \S+access_token=\[redacted\] 400 [\d.]+ms reason=badRequest FC101 [^\n]+\nfake-calendar: about FC101: [^\n]+\n$/,
    )
  }
})

/** A replacement of the system's browser opener, which records the address. */
function createOpener(): { path: string; opened(): Promise<string> } {
  const name = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const bin = mkdtempSync(join(folder, 'bin-'))
  const openedFile = join(bin, 'noted')
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nprintf %s "$1" > ${openedFile}.part && /bin/mv ${openedFile}.part ${openedFile}\n`,
    {
      mode: 0o755,
    },
  )
  const opened = async () => {
    await expect.poll(() => existsSync(openedFile)).toBe(true)
    return readFileSync(openedFile, 'utf8')
  }
  return { path: bin, opened }
}

test('--open opens the inspector in a browser, and the ready line contains its address', async () => {
  const { path, opened } = createOpener()
  const args = ['--port', '0', '--open', '--control-token', 'a b']
  const { printed, stop } = launch(args, { env: { PATH: path } })
  const text = await printed(/\n\n$/)
  const [, url = ''] = /Inspector {2}(\S+)/.exec(text) ?? []

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/_ui\/#token=a\+b$/)
  expect(await opened()).toBe(url)
  expect((await fetch(url)).status).toBe(200)
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})

test('--play prints the address of the inspector at the account whose calendar changes first', async () => {
  const { printed, stop } = launch(['--port', '0', '--play'])
  const text = await printed(/\n\n/)
  const [, url = ''] = /Inspector {2}(\S+)/.exec(text) ?? []

  expect(new URL(url).searchParams.get('account')).toBe('lena@lumen.example.com')
  expect(await stop()).toMatchObject({ code: 0 })
})

const circular = join(folder, 'circular')
mkdirSync(circular)
for (const name of ['open', 'xdg-open']) symlinkSync(name, join(circular, name))

test.each([
  ['without a browser', folder, 'is not installed'],
  ['with a circular link in place of a browser', circular, 'cannot be started: too many symbolic links encountered'],
])('%s, --open prints a line, and the server continues', async (_, path, reason) => {
  const { printed, stop } = launch(['--port', '0', '--open', '--json'], { env: { PATH: path } })
  const { ui, url } = JSON.parse(await printed(/\n$/))
  const { status } = await fetch(`${url}/_control/health`)
  const { stderr } = await stop()

  expect(status).toBe(200)
  expect(stderr).toMatch(/^fake-calendar: cannot open a browser: \S+ /)
  expect(stderr).toContain(` ${reason}; open this address: ${ui}\n`)
})
