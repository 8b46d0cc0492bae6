import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { openServer, ROOT, run, serve } from '../support/command.ts'

type Service = { command: string[]; environment: Record<string, string | number> }
const { services } = parse(readFileSync(join(ROOT, 'docs/guides/containers/compose.yaml'), 'utf8')) as {
  services: Record<'calendar' | 'app' | 'receiver', Service>
}

/** The program of the health check in the Dockerfile. */
const [, HEALTH_CHECK = ''] =
  /^HEALTHCHECK .*?CMD \["node", "-e", "(.+)"\]$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []

const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address

/** Requests a path with a host name of its own, as a container does. */
async function ask(address: string, port: number, path: string, headers: Record<string, string>) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: address, port, path, headers, agent: false }, resolve).once('error', reject)
  })
  return { status: reply.statusCode, body: await json(reply) }
}

const TOKEN = { 'X-Fake-Control-Token': 'hush' }
const BEARER = { Authorization: 'Bearer alice@example.com' }

if (!outside) console.warn('this machine has no address but its own: another machine is not tried')
const OTHERS = outside === undefined ? [] : [outside]
type Row = [token: string | undefined, address: string, health: object, without: number, withToken: number]

/** The rows of the table in the guide: token, address, health, other routes without and with the token. */
test.each<Row>([
  [undefined, '127.0.0.1', { status: 'ok', world: 'default' }, 200, 200],
  ['hush', '127.0.0.1', { status: 'ok' }, 401, 200],
  ...OTHERS.flatMap((address): Row[] => [
    [undefined, address, { status: 'ok' }, 403, 403],
    ['hush', address, { status: 'ok' }, 401, 200],
  ]),
])('a server with the token %s at %s answers as the guide says', async (token, address, health, without, withToken) => {
  const env: Record<string, string> =
    token === undefined ? {} : { FAKE_CALENDAR_CONTROL_TOKEN: token, FAKE_CALENDAR_CONTROL_HOST: 'calendar' }
  const { port } = await openServer(['--host', address], env)
  const host: Record<string, string> = address === '127.0.0.1' ? {} : { Host: 'calendar' }
  const replies = [
    await ask(address, port, '/_control/health', host),
    await ask(address, port, '/_control/state', host),
    await ask(address, port, '/_control/state', { ...host, ...TOKEN }),
    await ask(address, port, '/calendar/v3/colors', { ...host, ...BEARER }),
  ]
  const evil = await ask(address, port, '/_control/state', { Host: 'evil.example', ...TOKEN })

  expect(replies[0]?.body).toEqual(health)
  expect(replies.map(({ status }) => status)).toEqual([200, without, withToken, 200])
  expect(evil.status).toBe(403)
})

test('the health check of the image succeeds with a token at the port of the variable, and fails without a server', async () => {
  const { stop, port } = await serve(['--control-token', 'hush'])
  const check = () => run(['-e', HEALTH_CHECK], { env: { PORT: String(port) } })
  const healthy = await check()
  await stop()

  expect(healthy.code).toBe(0)
  expect((await check()).code).not.toBe(0)
})

test('in the Compose file the names of hosts are services, and the application may watch with the address of the receiver', async () => {
  const { calendar, app, receiver } = services
  expect(new URL(String(app.environment.CALENDAR_URL)).hostname).toBe('calendar')
  expect(new URL(String(app.environment.RECEIVER_URL))).toMatchObject({
    hostname: 'receiver',
    port: String(receiver.environment.PORT),
  })
  const options = calendar.command.filter((word, at) => word !== '--host' && calendar.command[at - 1] !== '--host')
  const server = await serve(options, { env: calendar.environment as Record<string, string> })
  const env = { ...app.environment, CALENDAR_URL: `${server.baseUrl}/` } as Record<string, string>
  const { code, stdout } = await run(app.command.slice(1), { env })
  await server.stop()

  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("kind: 'api#channel'") })
})
