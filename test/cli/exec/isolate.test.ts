import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { COMMAND, fakeCalendar, run } from '../../support/command.ts'
import { namespaceProblem } from '../../support/noRoute.ts'
import { lacks, pathOf } from '../../support/programs.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fake-calendar-isolate-')))
afterAll(() => rmSync(folder, { recursive: true }))

const runIsolated = (command: readonly string[], options: readonly string[] = [], cwd?: string) =>
  run([COMMAND, 'exec', '--isolate', ...options, '--', ...command], { env: { PORT: '' }, timeout: 60_000, cwd })

/** A program without proxy support: it opens a socket and speaks TLS over it. */
const PLAIN = join(folder, 'plain.py')
writeFileSync(
  PLAIN,
  `import socket, ssl, sys
host, secure = sys.argv[1], len(sys.argv) < 3
line = socket.create_connection((host, 443 if secure else 80), 5)
if secure:
    line = ssl.create_default_context().wrap_socket(line, server_hostname=host)
line.sendall(f'GET /calendar/v3/colors?key=any HTTP/1.1\\r\\nHost: {host}\\r\\nConnection: close\\r\\n\\r\\n'.encode())
print(b''.join(iter(lambda: line.recv(4096), b'')).decode())
`,
)

describe.skipIf(namespaceProblem)(
  `a command in a network of its own${namespaceProblem ? ` (skipped: ${namespaceProblem})` : ''}`,
  () => {
    const OWN_SOCKETS = ['www.googleapis.com', 'oauth2.googleapis.com', 'www.googleapis.com plain']
    test.skipIf(lacks('python3'))(
      `a program that opens its own sockets reaches the fake: ${OWN_SOCKETS.join(', ')}`,
      async () => {
        const lines = OWN_SOCKETS.map((args) => `'${pathOf('python3')}' '${PLAIN}' ${args}`)
        const { code, stdout, stderr } = await runIsolated(['sh', '-c', lines.join(' && ')])

        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        expect(stdout.split('"kind": "calendar#colors"')).toHaveLength(OWN_SOCKETS.length + 1)
      },
    )

    test.skipIf(lacks('curl'))(
      'another host has no address, and addresses of IPv4 and IPv6 cannot be reached',
      async () => {
        const urls = ['https://example.com/', 'https://192.0.2.1/', 'https://[2001:db8::1]/']
        const lines = urls.map((url) => `curl -sS --noproxy '*' '${url}' 2> /dev/null; echo $?`)

        expect(await runIsolated(['sh', '-c', lines.join('; ')])).toMatchObject({ code: 0, stdout: '6\n7\n7\n' })
      },
    )

    test.skipIf(lacks('curl'))('a program that opens its own sockets reaches another fake by --forward', async () => {
      const mail = createServer((request, response) => response.end(`${request.headers.host}${request.url}`))
      await once(mail.listen(0, '127.0.0.1'), 'listening')
      onTestFinished(() => void mail.close())
      const forward = `gmail.googleapis.com=http://127.0.0.1:${(mail.address() as AddressInfo).port}`
      const curl = ['curl', '-sS', '--noproxy', '*', 'https://gmail.googleapis.com/a']

      expect(await runIsolated(curl, ['--forward', forward])).toMatchObject({
        ...{ code: 0, stdout: 'gmail.googleapis.com/a', stderr: '' },
      })
    })

    test.skipIf(lacks('curl'))('a request to another host is rejected and named', async () => {
      const { code, stderr } = await runIsolated(['curl', '-s', 'https://example.com/'])

      expect({ code, stderr }).toEqual({
        code: 56,
        stderr: 'fake-calendar: example.com is not called (--allow example.com lets it through)\n',
      })
    })

    test.skipIf(lacks('curl'))(
      'the command reaches the fake at its address, and runs in the current folder',
      async () => {
        const program = 'pwd; id -u; curl -s "$FAKE_CALENDAR_CONTROL_URL/health"; exit 5'
        const { code, stdout, stderr } = await runIsolated(['sh', '-c', program], [], folder)

        expect({ code, stderr }).toEqual({ code: 5, stderr: '' })
        expect(stdout).toContain(`${folder}\n${process.getuid?.()}\n`)
        expect(stdout).toContain('"status": "ok"')
      },
    )

    test.each([
      ['a command that is killed', ['sh', '-c', 'kill -9 $$'], 137],
      ['an unknown command', ['/none'], 127],
    ])('%s ends exec with its code', async (_, command, code) => {
      expect((await runIsolated(command)).code).toBe(code)
    })

    test.skipIf(process.getuid?.() !== 0 || lacks('setpriv'))('isolation needs no root rights', async () => {
      const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, COMMAND]
      const { code, stdout, stderr } = await run([...nobody, 'exec', '--isolate', '--', 'id', '-u'], {
        command: 'setpriv',
        env: { PORT: '' },
      })
      if (stderr.includes('cannot open a network namespace on this machine')) {
        console.warn(`not tried: only root may have a network of its own here: ${stderr}`)
        return
      }

      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '65534\n', stderr: '' })
    })

    test.skipIf(lacks('python3'))('Node and its child processes reach the fake', async () => {
      const program = `fetch('https://www.googleapis.com/calendar/v3/colors?key=any').then(({ status }) => console.log(status))
      require('node:child_process').spawn('${pathOf('python3')}', ['${PLAIN}', 'www.googleapis.com'], { stdio: 'inherit' })`
      const { stdout } = await runIsolated([process.execPath, '-e', program])

      expect(stdout).toMatch(/^200$/m)
      expect(stdout).toContain('"kind": "calendar#colors"')
    })

    test('push messages reach a receiver of the command', async () => {
      const program = `const url = process.env.FAKE_CALENDAR_URL + '/calendar/v3/calendars/primary/events'
      const headers = { Authorization: 'Bearer alice@example.com', 'Content-Type': 'application/json' }
      const server = require('node:http').createServer((request, response) => {
        response.end()
        console.log(request.headers['x-goog-resource-state'])
        if (request.headers['x-goog-resource-state'] === 'exists') process.exit()
      })
      server.listen(0, '127.0.0.1', async () => {
        const address = 'http://127.0.0.1:' + server.address().port + '/'
        await fetch(url + '/watch', { method: 'POST', headers, body: JSON.stringify({ id: 'c', type: 'web_hook', address }) })
        await fetch(url + '/quickAdd?text=Lunch', { method: 'POST', headers })
      })`
      const { code, stdout, stderr } = await runIsolated([process.execPath, '-e', program])

      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'sync\nexists\n', stderr: '' })
    })
  },
)

const circular = join(folder, 'circular')
mkdirSync(circular)
symlinkSync('unshare', join(circular, 'unshare'))

test.each([
  ['without unshare', folder],
  ['with a circular link in place of unshare', circular],
])('%s, one line is printed, and the command does not start', async (_, path) => {
  const { code, stdout, stderr } = await fakeCalendar(
    ['exec', '--isolate', '--', process.execPath, '-e', 'console.log(1)'],
    { PATH: path },
  )

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^fake-calendar: --isolate: cannot open a network namespace on this machine: [^\n]+\n$/)
})

test.each([
  [[], '/_ui/'],
  [['--control-token', 'a b'], '/_ui/#token=a+b'],
])('--ui prints the address of the inspector: %j', async (options, path) => {
  const { code, stderr } = await fakeCalendar(['exec', '--ui', ...options, '--', 'true'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\S+\n$/) })
  expect(stderr.trim().endsWith(path)).toBe(true)
})
