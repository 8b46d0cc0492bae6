import type { AddressInfo } from 'node:net'
import { withImport } from './nodeOptions.ts'
import { ENV, leadToServer } from './redirectToServer.ts'

/**
 * `node --import fake-calendar/register app.js`: what the program, its threads and its child processes send to the service's
 * hosts is answered by the server at FAKE_CALENDAR_URL, or else by a world of the program's own.
 */
export const registered: Promise<void> = register(process.env)

async function register(env: NodeJS.ProcessEnv): Promise<void> {
  env.NODE_OPTIONS = withImport(env.NODE_OPTIONS)
  const { [ENV.url]: url } = env
  if (url) leadToServer(checked(url), env)
  else env[ENV.url] = await ownWorld()
}

function checked(url: string): URL {
  if (URL.canParse(url) && new URL(url).protocol === 'http:') return new URL(url)
  throw new TypeError(`${ENV.url}: not the address of a server: ${url} (expected a form such as http://127.0.0.1:8787)`)
}

/** A world for this program: it answers here without a port, and on one for threads and children, which keeps nothing alive. */
async function ownWorld(): Promise<string> {
  const { createFakeCalendar } = await import('../index.ts')
  const { intercept } = await import('./intercept.ts')
  const { serverOf, socketListener } = await import('../http/listen.ts')
  const fake = createFakeCalendar()
  intercept(fake)
  const listener = await socketListener(
    (request) => fake.fetch(request),
    () => fake.clock.now(),
  )
  const server = serverOf(listener).on('connection', (socket) => void socket.unref())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve).unref())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
