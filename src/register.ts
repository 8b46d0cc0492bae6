import type { AddressInfo } from 'node:net'
import { withImport } from './interception/nodeOptions.ts'
import { ENV, redirectToServer } from './interception/redirectToServer.ts'

/**
 * Resolves when the program is redirected: `node --import fake-calendar/register app.js`. Requests of the program, its threads
 * and its child processes to the service's hosts go to the server at FAKE_CALENDAR_URL, or to a world of the program's own.
 */
export const registered: Promise<void> = register(process.env)

async function register(env: NodeJS.ProcessEnv): Promise<void> {
  env.NODE_OPTIONS = withImport(env.NODE_OPTIONS)
  const { [ENV.url]: url } = env
  if (url) redirectToServer(parseServerUrl(url), env)
  else env[ENV.url] = await startOwnWorld()
}

function parseServerUrl(url: string): URL {
  if (URL.canParse(url) && new URL(url).protocol === 'http:') return new URL(url)
  throw new TypeError(`${ENV.url}: not the address of a server: ${url} (expected a form such as http://127.0.0.1:8787)`)
}

/** Makes a world for this program. Threads and children reach it by a port, which does not keep the program alive. */
async function startOwnWorld(): Promise<string> {
  const { createFakeCalendar } = await import('./index.ts')
  const { intercept } = await import('./interception/intercept.ts')
  const { serverOf, socketListener } = await import('./http/listen.ts')
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
