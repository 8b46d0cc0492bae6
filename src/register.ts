import type { AddressInfo } from 'node:net'
import { addRegisterImport } from './interception/nodeOptions.ts'
import { ENV, redirectToServer } from './interception/redirectToServer.ts'

/**
 * Resolves when the program is redirected: `node --import fake-calendar/register app.js`. Requests of the program, its threads
 * and its child processes to the service's hosts go to the server at FAKE_CALENDAR_URL, or to a world of the program's own.
 */
export const registered: Promise<void> = redirectProgram(process.env)

async function redirectProgram(env: NodeJS.ProcessEnv): Promise<void> {
  env.NODE_OPTIONS = addRegisterImport(env.NODE_OPTIONS)
  const { [ENV.url]: url } = env
  if (url) redirectToServer(parseServerUrl(url), env)
  else env[ENV.url] = await startOwnWorld()
}

/** Throws a TypeError unless it is an `http:` URL. */
function parseServerUrl(url: string): URL {
  if (URL.canParse(url) && new URL(url).protocol === 'http:') return new URL(url)
  throw new TypeError(`${ENV.url}: not the address of a server: ${url} (expected a form such as http://127.0.0.1:8787)`)
}

/**
 * Requests of this thread reach the fake in process. Threads and children reach it by a port of 127.0.0.1, which does not keep
 * the program alive. Rejects if no port can be opened.
 */
async function startOwnWorld(): Promise<string> {
  const { createFakeCalendar } = await import('./index.ts')
  const { intercept } = await import('./interception/intercept.ts')
  const { createHttpServer, createSocketListener } = await import('./http/listen.ts')
  const fake = createFakeCalendar()
  intercept(fake)
  const listener = await createSocketListener(
    (request) => fake.fetch(request),
    () => fake.clock.now(),
  )
  const server = createHttpServer(listener).on('connection', (socket) => void socket.unref())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve).unref())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
