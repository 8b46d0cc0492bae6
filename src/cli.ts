import manifest from '../package.json' with { type: 'json' }
import type { CalendarFile } from './cli/calendarFiles.ts'
import { CommandError } from './cli/commandError.ts'
import { greeting, type Started } from './cli/greeting.ts'
import { help, type Options, readOptions } from './cli/options.ts'
import { DEFAULT_HOST } from './http/listen.ts'
import { SERVICE_PATH } from './http/mount.ts'
import { uiOf } from './http/place.ts'
import { SeedError } from './life/seed.ts'
import { isCertificates } from './push/receivers.ts'
import { defaultSeed } from './seeds/fixtures/default.ts'
import { DEFAULT_WORLD, Server, type ServerOptions } from './server.ts'
import type { Seed } from './wire/seeds/seed.ts'
import type { World } from './world/world.ts'

/** The command. What goes wrong for a reason that its user can mend is one line and exit code 1. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    if (args[0] === 'exec' || args[0] === 'proxy') {
      await another(args[0], args.slice(1))
      return
    }
    if (args[0] === 'export') {
      const { exportCalendar } = await import('./cli/exporting.ts')
      return await exportCalendar(args.slice(1), lookedAt)
    }
    if (args[0] === 'conform') {
      const { conform } = await import('./conform/command.ts')
      return await conform(args.slice(1), playedTo)
    }
    if (args[0] === 'capture') {
      const { captureCommand } = await import('./capture/command.ts')
      return await captureCommand(args.slice(1))
    }
    if (args[0] === 'seed') {
      const { seedCommand } = await import('./cli/seeds/command.ts')
      return await seedCommand(args.slice(1))
    }
    const asked = readOptions(args, process.env)
    if (asked.ask === 'help') process.stdout.write(help())
    else if (asked.ask === 'version') process.stdout.write(`${manifest.version}\n`)
    else await serve(asked)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`fake-calendar: ${inOneLine(error.message)}\n`)
    process.exitCode = error.code
  }
}

/** What was typed may hold line ends, and is quoted in messages. */
const inOneLine = (text: string): string => text.replace(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1))

/** The other commands, which a server that starts does not wait for. */
async function another(name: 'exec' | 'proxy', args: readonly string[]): Promise<void> {
  const { exec, proxy } = await import('./ways/commands.ts')
  await (name === 'exec' ? exec : proxy)(args, async (options) => {
    const { server, url, host, port } = await begin(options)
    return {
      started: startedOf(server, { url, host, port }),
      fetch: (request, how) => server.fetch(request, how),
      now: () => server.now(server.home),
      state: () => server.realm(server.home).state(),
      close: () => server.close(),
    }
  })
}

/** A server that listens, as the options have it. */
async function begin(options: Options) {
  const seeds = await readSeeds(options.seeds, options.now, options.calendarFiles)
  const { now, strict, anonymous, publicUrl, controlToken, controlHosts, worlds, consent, webhooks, conferences } =
    options
  const auth = { mode: strict ? 'strict' : 'open', anonymous } as const
  const server = open([...options.seeds, ...options.calendarFiles.map(({ file }) => file)], {
    seeds,
    now,
    auth,
    publicUrl,
    controlToken,
    controlHosts,
    worlds,
    worldIdle: options.worldIdle,
    consent,
    strictSurface: options.strictSurface,
    webhooks,
    webhookCa: options.webhookCa === undefined ? undefined : await readCertificates(options.webhookCa),
    webhookTimeout: options.webhookTimeout,
    conferences: conferences && { mode: conferences },
    journal: options.journal,
    log: options.log ? (line) => void process.stderr.write(`${line}\n`) : undefined,
  })
  return { server, ...(await listen(server, options)) }
}

function startedOf(server: Server, { url, host, port }: { url: string; host: string; port: number }): Started {
  const accounts = [...server.realm(server.home).world.accounts.values()].map(({ email }) => email)
  const root = server.home === DEFAULT_WORLD ? url : `${url}/w/${server.home}`
  const ui = uiOf(`${root}/`, server.options.controlToken)
  return { url, rootUrl: `${root}/`, baseUrl: root + SERVICE_PATH, host, port, accounts, ui }
}

async function serve(options: Options): Promise<void> {
  const { server, ...address } = await begin(options)
  const end = () => server.close().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  if (process.env.npm_lifecycle_script) {
    const { onNpmGone } = await import('./cli/parent.ts')
    onNpmGone(process.env, end)
  }
  const { world } = server.realm(server.home)
  const started = startedOf(server, address)
  const [granted] = [...world.grants.values()].map(({ token }) => token)
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(started)}\n`)
  if (options.output === 'text')
    process.stdout.write(greeting(started, granted ?? (options.strict ? undefined : started.accounts[0])))
  if (options.open) {
    const { openInBrowser } = await import('./cli/browser.ts')
    openInBrowser(started.ui, tell)
  }
}

/** What is seen of a world that is there for a look. */
async function lookedAt<T>(names: readonly string[], now: string | undefined, look: (world: World) => T): Promise<T> {
  const server = open(names, { seeds: await readSeeds(names, now), now, auth: { mode: 'open' }, webhooks: 'loopback' })
  try {
    return look(server.realm(server.home).world)
  } finally {
    await server.close()
  }
}

/** A fake that is there for a recording of the service. */
function playedTo(seed: Seed, now: string | undefined) {
  const server = new Server({ seeds: [seed], now, auth: { mode: 'open' }, webhooks: 'loopback' })
  const fetch = (input: string | URL, init?: RequestInit) => server.fetch(new Request(input, init))
  return { fetch, close: () => server.close() }
}

const tell = (line: string) => process.stderr.write(`fake-calendar: ${inOneLine(line)}\n`)

/** Reading a seed loads its schema, which a start without one does not wait for. */
async function readSeeds(
  names: readonly string[],
  now: string | undefined,
  files: readonly CalendarFile[] = [],
): Promise<Seed[]> {
  if (names.length + files.length === 0) return [defaultSeed]
  const { readCalendarFile, readSeed } = await import('./cli/seedFile.ts')
  const seeds: Seed[] = []
  for (const name of names) seeds.push(await readSeed(name, seeds, tell, now))
  for (const file of files) seeds.push(await readCalendarFile(file, seeds, tell))
  return seeds
}

async function readCertificates(name: string): Promise<string> {
  const { textIn } = await import('./cli/seedFile.ts')
  const text = textIn(name, 'certificates')
  if (!isCertificates(text)) throw new CommandError(`${name}: no certificates as PEM`)
  return text
}

/** A seed may read well and still not fit into a world: the first file that does not is named. */
function open(names: readonly string[], options: ServerOptions): Server {
  try {
    return new Server(options)
  } catch (error) {
    const culprit = names.find((_, at) => !fits({ ...options, seeds: options.seeds.slice(0, at + 1) }))
    if (error instanceof SeedError) throw new CommandError(`${culprit ?? 'seed'}: ${error.message}`)
    // A fault of ours, which a file has brought about: what its user can do is to change the file, and to tell us.
    if (culprit === undefined || !(error instanceof Error)) throw error
    throw new CommandError(
      `${culprit}: no world can be made of it, by a fault of fake-calendar's own; please report it: ${error}`,
    )
  }
}

function fits(options: ServerOptions): boolean {
  try {
    new Server(options).close()
    return true
  } catch {
    return false
  }
}

const UNBINDABLE: Record<string, string> = {
  EADDRINUSE: 'the port is taken by another process',
  EACCES: 'listening there is not permitted',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
}

async function listen(server: Server, { port, host }: Options) {
  try {
    return await server.listen({ port, host })
  } catch (error) {
    await server.close()
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!code) throw error
    throw new CommandError(`cannot listen on ${host ?? DEFAULT_HOST}, port ${port}: ${UNBINDABLE[code] ?? code}`)
  }
}
