import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { fakeCalendar, launch, run, runCommand } from '../../support/command.ts'
import { lacks } from '../../support/programs.ts'

/** The entry for a fake of Gmail, which answers with what it got. */
let gmail: string
beforeAll(async () => {
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming
    outgoing.end(`${method} ${headers['x-forwarded-proto']}://${headers.host}${url} ${await text(incoming)}`)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  gmail = `gmail.googleapis.com=http://127.0.0.1:${(server.address() as AddressInfo).port}/fake/`
  return () => void server.close()
})

const NODE_PROGRAM = `const { get } = require('node:https')
  const show = (text) => console.log(text.replace(/\\s+/g, ' ').slice(0, 90))
  const read = (url, init) => fetch(url, init).then((r) => r.text(), (error) => error.message).then(show)
  read('https://gmail.googleapis.com/gmail/v1/users/me/messages/send?alt=json', { method: 'POST', body: 'raw' })
    .then(() => read('https://drive.googleapis.com/drive/v3/files'))
    .then(() => read('https://www.googleapis.com/calendar/v3/colors?key=any'))
    .then(() => get('https://gmail.googleapis.com/', (reply) => reply.pipe(process.stdout)))`

test('a Node program under exec calls another fake at the real address, and no host that is not named', async () => {
  const program = ['--', process.execPath, '-e', NODE_PROGRAM]

  expect(await fakeCalendar(['exec', '--intercept', '--forward', gmail, ...program])).toEqual({
    code: 0,
    stdout: `POST https://gmail.googleapis.com/fake/gmail/v1/users/me/messages/send?alt=json raw
fake-calendar: drive.googleapis.com is not called (fake-calendar exec --allow drive.google
{ "kind": "calendar#colors", "updated": "2012-02-14T00:00:00.000Z", "calendar": { "1": { "
GET https://gmail.googleapis.com/fake/ `,
    stderr: 'fake-calendar: drive.googleapis.com is not called (--allow drive.googleapis.com lets it through)\n',
  })
})

test.skipIf(lacks('curl'))('a proxy sends the tunnel and the plain request of a host to another fake', async () => {
  const none = 'tasks.googleapis.com=http://127.0.0.1:9'
  const { printed, stop } = launch([
    'proxy',
    '--port',
    '0',
    '--proxy-port',
    '0',
    '--json',
    '--forward',
    gmail,
    '--forward',
    none,
  ])
  const { env } = JSON.parse(await printed(/\n$/))
  const curl = async (...args: string[]) => (await run(['-s', ...args], { command: 'curl', env })).stdout

  expect([
    await curl('https://Gmail.googleapis.com/gmail/v1?q=1', '--request', 'PUT', '--data', 'raw'),
    await curl('http://gmail.googleapis.com:81'),
    await curl('https://tasks.googleapis.com/'),
    await curl('https://www.googleapis.com/calendar/v3/colors?key=any&fields=kind'),
    await curl('https://mail.googleapis.com/', '--write-out', '%{http_connect}'),
  ]).toEqual([
    'PUT https://Gmail.googleapis.com/fake/gmail/v1?q=1 raw',
    'GET http://gmail.googleapis.com:81/fake/ ',
    'fake-calendar: connect ECONNREFUSED 127.0.0.1:9\n',
    '{\n "kind": "calendar#colors"\n}\n',
    '502',
  ])
  await stop()
})

const FORM = '(expected a form such as gmail.googleapis.com=http://127.0.0.1:9000)'
const NOT_OWN = "(expected a host that is neither this machine nor the service's own)"

test.each([
  [['a.example'], `a.example ${FORM}`],
  [['=http://b.example'], `=http://b.example ${FORM}`],
  [['*.a.example=http://b.example'], 'not a host name: *.a.example (expected a form such as gmail.googleapis.com)'],
  [['192.0.2.1=http://b.example'], 'not a host name: 192.0.2.1 (expected a form such as gmail.googleapis.com)'],
  [['WWW.googleapis.com.=http://b.example'], `WWW.googleapis.com. ${NOT_OWN}`],
  [['localhost=http://b.example'], `localhost ${NOT_OWN}`],
  ...['', 'b.example', 'ftp://b.example', 'http://b.example?q', 'http://me@b.example'].map(
    (url): [string[], string] => [
      [`a.example=${url}`],
      `not the address of a server: ${url} (expected a form such as http://127.0.0.1:9000)`,
    ],
  ),
  [['a.example=http://b.example', 'A.example.=http://c.example'], 'A.example. is named twice'],
])('--forward %j is refused in one line', async (entries, reason) => {
  const options = entries.flatMap((entry) => ['--forward', entry])
  for (const command of [
    ['proxy', ...options],
    ['exec', '--intercept', ...options, '--', 'echo', 'started'],
  ])
    expect(await runCommand(command)).toEqual({ code: 1, stdout: '', stderr: `fake-calendar: --forward: ${reason}\n` })
})

test('--forward needs --intercept', async () => {
  expect(await runCommand(['exec', '--forward', 'a.example=http://b.example', '--', 'true'])).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'fake-calendar: --forward: requires --intercept\n',
  })
})
