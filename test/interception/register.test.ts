import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type Ended, openServer, ROOT, run } from '../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake calendar '))
afterAll(() => rmSync(folder, { recursive: true }))

const REGISTER = pathToFileURL(join(ROOT, 'dist', 'register.js')).href
const LIST = 'https://www.googleapis.com/calendar/v3/users/me/calendarList'
const OPTIONS = `{ headers: { Authorization: 'Bearer carol@example.com' } }`

/**
 * Rejects connections beyond this machine. It is loaded first, so that it gets only the connections that nothing else
 * intercepts.
 */
const LOOPBACK_ONLY = `
  const net = require('node:net')
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (...args) {
    const [first] = Array.isArray(args[0]) ? args[0] : args
    const host = (typeof first === 'object' ? first.host : args[1]) ?? 'localhost'
    if (!first?.path && !/^(localhost|127\\.|::1)/.test(host)) throw new Error('beyond loopback: ' + host)
    return connect.apply(this, args)
  }
  const dns = require('node:dns')
  const { lookup } = dns
  dns.lookup = (name, ...more) => {
    if (!/^(localhost|127\\.|::1)/.test(name)) throw new Error('asked for the address of ' + name)
    return lookup(name, ...more)
  }
`
const writeFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const guard = writeFile('loopback.cjs', LOOPBACK_ONLY)

/** Runs an unmodified program with the preloaded module. */
function runRegistered(program: string, env: Record<string, string> = {}): Promise<Ended> {
  return run(['--require', guard, '--import', REGISTER, program], { env: { FAKE_CALENDAR_URL: '', ...env } })
}

const THEN = `.then(({ items }) => console.log(items.map(({ id }) => id).join()))`
const READ = `async (response) => {
  let text = ''
  for await (const part of response) text += part
  console.log(JSON.parse(text).items.map(({ id }) => id).join())
}`
const PROGRAMS: Record<string, string> = {
  'esm.mjs': `import { get } from 'https'\nget('${LIST}', ${OPTIONS}, ${READ})`,
  'commonjs.cjs': `const { get } = require('node:https')\nget('${LIST}', ${OPTIONS}, ${READ})`,
  'fetch.mjs': `await fetch('${LIST}', ${OPTIONS}).then((response) => response.json())${THEN}`,
  'tls.mjs': `import { connect } from 'node:tls'
    const socket = connect(443, 'www.googleapis.com', { servername: 'www.googleapis.com' }, () => socket.write(
      'GET ${new URL(LIST).pathname} HTTP/1.1\\r\\nHost: www.googleapis.com\\r\\nAuthorization: Bearer carol@example.com\\r\\nConnection: close\\r\\n\\r\\n'))
    let text = ''
    for await (const part of socket) text += part
    console.log(/"id": "(.*?)"/.exec(text)[1])`,
  // As axios below 0.19 does with a proxy: the host of the socket is the proxy's, and the path is a whole URL.
  'absolute.cjs': `require('node:https').get({ host: '127.0.0.1', port: 1, path: '${LIST}',
    headers: { ...${OPTIONS}.headers, host: 'www.googleapis.com' } }, ${READ})`,
  'worker.mjs': `import { Worker } from 'node:worker_threads'
    new Worker(new URL('./fetch.mjs', import.meta.url))`,
  'fork.cjs': `require('node:child_process').fork(require('node:path').join(__dirname, 'commonjs.cjs'), { execArgv: [] })`,
  'spawn.mjs': `import { spawn } from 'node:child_process'
    import { fileURLToPath } from 'node:url'
    spawn(process.execPath, [fileURLToPath(new URL('./esm.mjs', import.meta.url))], { stdio: 'inherit' })`,
}
for (const [name, text] of Object.entries(PROGRAMS)) writeFile(name, text)

test.each(Object.keys(PROGRAMS))('%s has its own world', async (name) => {
  expect(await runRegistered(join(folder, name))).toEqual({ code: 0, stdout: 'carol@example.com\n', stderr: '' })
})

const { url } = await openServer()

test.each(Object.keys(PROGRAMS))('%s has its world from a running server', async (name) => {
  const reply = await runRegistered(join(folder, name), { FAKE_CALENDAR_URL: `${url}/w/${name}` })
  const { worlds } = (await (await fetch(`${url}/_control/worlds`)).json()) as { worlds: string[] }

  expect(reply).toEqual({ code: 0, stdout: 'carol@example.com\n', stderr: '' })
  expect(worlds).toContain(name)
})

test('a thread and a child share the world of their program', async () => {
  const program = writeFile(
    'shared.mjs',
    `import { spawn } from 'node:child_process'
    import { once } from 'node:events'
    import { writeFileSync } from 'node:fs'
    import { Worker } from 'node:worker_threads'
    const headers = { Authorization: 'Bearer carol@example.com' }
    const url = 'https://www.googleapis.com/calendar/v3/calendars/primary/events'
    const adds = (text) => \`fetch('\${url}/quickAdd?text=\${text}', { method: 'POST', headers: \${JSON.stringify(headers)} })\`
    writeFileSync(new URL('./thread.cjs', import.meta.url), adds('thread'))
    await once(new Worker(new URL('./thread.cjs', import.meta.url)), 'exit')
    await once(spawn(process.execPath, ['-e', adds('child')]), 'exit')
    const { items } = await (await fetch(url, { headers })).json()
    console.log(items.map(({ summary }) => summary).join())`,
  )
  const { stdout, code, stderr } = await runRegistered(program)

  expect({ stdout, stderr, code }).toEqual({ stdout: 'thread,child\n', stderr: '', code: 0 })
})

test('addresses in replies are those of the service, also with a running server', async () => {
  const program = writeFile(
    'discovery.mjs',
    `const { rootUrl } = await (await fetch('https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest')).json()
    console.log(rootUrl)`,
  )

  expect((await runRegistered(program, { FAKE_CALENDAR_URL: url })).stdout).toBe('https://www.googleapis.com/\n')
})

test.each([
  ['https://storage.googleapis.com/', 'fake-calendar: storage.googleapis.com is no host of the calendar service'],
  [
    'https://www.googleapis.com/',
    'fake-calendar: no response from http://127.0.0.1:1 (the server of FAKE_CALENDAR_URL)',
  ],
])('a request that cannot be answered fails with the reason: %s', async (url, message) => {
  const program = writeFile(
    'fails.mjs',
    `import { get } from 'https'\nget('${url}').on('error', ({ message }) => console.log(message))`,
  )
  const { code, stdout } = await runRegistered(program, { FAKE_CALENDAR_URL: 'http://127.0.0.1:1' })

  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(message) })
})

test('an invalid address prevents the start of the program', async () => {
  const { code, stderr } = await runRegistered(join(folder, 'esm.mjs'), { FAKE_CALENDAR_URL: '127.0.0.1:8787' })

  expect(code).toBe(1)
  expect(stderr).toContain('FAKE_CALENDAR_URL: not the address of a server: 127.0.0.1:8787')
})
