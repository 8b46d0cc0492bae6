import { SeedError } from '../life/seed.ts'
import { isCertificates } from '../push/receivers.ts'
import { defaultSeed } from '../seeds/fixtures/default.ts'
import { SERVICE_PATH } from '../server/routes.ts'
import { DEFAULT_WORLD, Server, type ServerOptions } from '../server/server.ts'
import { DEFAULT_HOST } from '../server/sockets/listen.ts'
import { uiOf } from '../server/urls.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import type { World } from '../world/world.ts'
import type { CalendarFile } from './calendarFiles.ts'
import { CommandError } from './commandError.ts'
import type { Started } from './greeting.ts'
import { printError } from './output.ts'
import { readFile } from './readFile.ts'
import type { Options } from './serverOptions.ts'

/** A server that listens, and what a command prints about it. */
export type RunningServer = { server: Server; started: Started }

/** Starts a server that listens. Throws a CommandError if a file, or the address, does not allow it. */
export async function startServer(options: Options): Promise<RunningServer> {
  const { conferences } = options
  const names = [...options.seeds, ...options.calendarFiles.map(({ file }) => file)]
  const server = makeServer(names, {
    seeds: await readSeeds(options.seeds, options.now, options.calendarFiles),
    now: options.now,
    auth: { mode: options.strict ? 'strict' : 'open', anonymous: options.anonymous },
    publicUrl: options.publicUrl,
    controlToken: options.controlToken,
    controlHosts: options.controlHosts,
    worlds: options.worlds,
    worldIdle: options.worldIdle,
    consent: options.consent,
    strictSurface: options.strictSurface,
    webhooks: options.webhooks,
    webhookCa: options.webhookCa === undefined ? undefined : readCertificates(options.webhookCa),
    webhookTimeout: options.webhookTimeout,
    conferences: conferences && { mode: conferences },
    journal: options.journal,
    log: options.log ? (line) => void process.stderr.write(`${line}\n`) : undefined,
  })
  const address = await listen(server, options)
  return { server, started: toStarted(server, address) }
}

function toStarted(server: Server, { url, host, port }: { url: string; host: string; port: number }): Started {
  const accounts = [...server.realm(server.home).world.accounts.values()].map(({ email }) => email)
  const root = server.home === DEFAULT_WORLD ? url : `${url}/w/${server.home}`
  const ui = uiOf(`${root}/`, server.options.controlToken)
  return { url, rootUrl: `${root}/`, baseUrl: root + SERVICE_PATH, host, port, accounts, ui }
}

/** Makes a world of seeds, without a socket, and reads something from it. */
export async function readFromWorld<T>(
  seeds: readonly string[],
  now: string | undefined,
  read: (world: World) => T,
): Promise<T> {
  const server = makeServer(seeds, {
    seeds: await readSeeds(seeds, now),
    now,
    auth: { mode: 'open' },
    webhooks: 'loopback',
  })
  try {
    return read(server.realm(server.home).world)
  } finally {
    await server.close()
  }
}

/** Makes a fake without a socket, for the replay of a recording. */
export function openFake(seed: Seed, now: string | undefined) {
  const server = new Server({ seeds: [seed], now, auth: { mode: 'open' }, webhooks: 'loopback' })
  const fetch = (input: string | URL, init?: RequestInit) => server.fetch(new Request(input, init))
  return { fetch, close: () => server.close() }
}

/** Loads the schema of seeds only if a seed is named, because a start without one does not need it. */
async function readSeeds(
  names: readonly string[],
  now: string | undefined,
  files: readonly CalendarFile[] = [],
): Promise<Seed[]> {
  if (names.length + files.length === 0) return [defaultSeed]
  const { readCalendarFile, readSeed } = await import('./seedFile.ts')
  const seeds: Seed[] = []
  for (const name of names) seeds.push(await readSeed(name, seeds, printError, now))
  for (const file of files) seeds.push(await readCalendarFile(file, seeds, printError))
  return seeds
}

function readCertificates(name: string): string {
  const text = readFile(name, 'certificates').toString('utf8')
  if (!isCertificates(text)) throw new CommandError(`${name}: no certificates as PEM`)
  return text
}

/** A valid seed may still contradict another one. Names the first file that no world can be made with. */
function makeServer(names: readonly string[], options: ServerOptions): Server {
  try {
    return new Server(options)
  } catch (error) {
    const culprit = names.find((_, at) => !canBeMade({ ...options, seeds: options.seeds.slice(0, at + 1) }))
    if (error instanceof SeedError) throw new CommandError(`${culprit ?? 'seed'}: ${error.message}`)
    if (culprit === undefined || !(error instanceof Error)) throw error
    throw new CommandError(
      `${culprit}: no world can be made of it, by a fault of fake-calendar's own; please report it: ${error}`,
    )
  }
}

function canBeMade(options: ServerOptions): boolean {
  try {
    new Server(options).close()
    return true
  } catch {
    return false
  }
}

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'the port is taken by another process',
  EACCES: 'listening there is not permitted',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
}

/** The reason of a failure to listen, in words. */
export const listenErrorOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return LISTEN_ERRORS[code] ?? (code || String(error))
}

async function listen(server: Server, { port, host }: Options) {
  try {
    return await server.listen({ port, host })
  } catch (error) {
    await server.close()
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new CommandError(`cannot listen on ${host ?? DEFAULT_HOST}, port ${port}: ${listenErrorOf(error)}`)
  }
}
