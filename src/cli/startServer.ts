import { setFlagsFromString } from 'node:v8'
import { HINTS, type HintCode } from '../control/hints/table.ts'
import type { Log } from '../control/journal/journal.ts'
import { isPemCertificates } from '../effects/push/channels.ts'
import { loadAttempts } from '../evaluation/loadAttempts.ts'
import { DEFAULT_HOST } from '../http/listen.ts'
import { inspectorUrlOf, rootUrlOf } from '../http/urls.ts'
import type { RecordedTools } from '../mcp/recordedTools.ts'
import type { WorldData } from '../model/worldData.ts'
import { addressOf } from '../schema/values/address.ts'
import { findNearest } from '../schema/values/nearest.ts'
import { readFixtureFile } from '../seeds/fixtureFiles.ts'
import type { Seed } from '../seeds/schema/seed.ts'
import { SeedError } from '../seeds/seedError.ts'
import { SERVICE_PATH } from '../server/requestContext.ts'
import { Server, type ServerOptions } from '../server/server.ts'
import { CommandError, summarizeProblems } from './commandError.ts'
import type { Started } from './greeting.ts'
import { printError } from './output.ts'
import { readFile } from './readFile.ts'
import type { CalendarFile, ServerCommandOptions } from './serverOptions.ts'
import { loadState } from './stateFile.ts'

export type RunningServer = { server: Server; started: Started }

const HEAP_GROWTH_PERCENT = 100

/** Changes the garbage collection of this process. */
export async function startServer(options: ServerCommandOptions): Promise<RunningServer> {
  const server = await createServer(options)
  return { server, started: toStarted(server, await listenOn(server, options)) }
}

export async function createServer(options: ServerCommandOptions): Promise<Server> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const { seeds, calendarFiles, state, mcpTools, webhookCa, auth } = options
  const server = makeServer([...seeds, ...calendarFiles.map(({ file }) => file)], {
    ...options,
    loadAttempts,
    seeds: await readSeeds(seeds, calendarFiles),
    mcpTools: mcpTools === undefined ? undefined : await readTools(mcpTools),
    webhookCa: webhookCa === undefined ? undefined : readCertificates(webhookCa),
    log: options.log || options.output !== 'none' ? createLog(options) : undefined,
  })
  if (state !== undefined) await loadState(server, state)
  if (auth.anonymous !== undefined && options.output !== 'none')
    reportNewAccount(server, options, '--anonymous', auth.anonymous)
  return server
}

/** Prints a line if seeds are named and none has the account, because a mistyped one would be a new account without events. */
export function reportNewAccount(
  server: Server,
  { seeds, calendarFiles }: ServerCommandOptions,
  option: string,
  email: string,
): void {
  if (seeds.length + calendarFiles.length === 0) return
  const { accounts } = server.world(server.home).data
  if (accounts.get(addressOf(email))) return
  const nearest = findNearest(
    email,
    [...accounts.values()].map((account) => account.email),
  )
  const effect = server.options.auth.mode === 'open' ? ', so its first use creates it' : ''
  const advice = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`
  printError(`${option}: there is no account ${JSON.stringify(email)}${effect}${advice}`)
}

/** The hint on a token that belongs to no account. Without it, a test of a foreign token passes in open mode and proves nothing. */
const GUESSED = 'FC302'

function createLog({ log, printsHints, auth }: ServerCommandOptions): Log {
  const isPrinted = (code: string) => log || printsHints || (code === GUESSED && auth.mode === 'open')
  const printed = new Set<string>()
  return (line, hints) => {
    if (log) process.stderr.write(`${line}\n`)
    for (const [code, text] of hints) {
      if (printed.has(code) || !isPrinted(code)) continue
      printed.add(code)
      printError(`${log ? `about ${code}:` : `${text}.`} ${HINTS[code as HintCode].why}`)
    }
  }
}

function toStarted(server: Server, { url, host, port }: { url: string; host: string; port: number }): Started {
  const accounts = [...server.world(server.home).data.accounts.values()].map(({ email }) => email)
  const rootUrl = rootUrlOf(url, server.home)
  const ui = inspectorUrlOf(rootUrl, server.options.controlToken)
  return { url, rootUrl, baseUrl: rootUrl.slice(0, -1) + SERVICE_PATH, host, port, accounts, ui }
}

/** `now` is RFC 3339. The world is deleted afterwards. */
export async function readFromWorld<T>(
  seeds: readonly string[],
  now: string | undefined,
  read: (world: WorldData) => T,
): Promise<T> {
  const server = makeServer(seeds, {
    seeds: await readSeeds(seeds),
    now,
    auth: { mode: 'open' },
    webhooks: 'loopback',
  })
  try {
    return read(server.world(server.home).data)
  } finally {
    await server.close()
  }
}

/** Seeds precede the files of `--ics`. Loads the schema of seeds only if a seed is given, so that other starts are faster. */
async function readSeeds(names: readonly string[], files: readonly CalendarFile[] = []): Promise<Seed[]> {
  if (names.length + files.length === 0) return [readFixtureFile('default') as Seed]
  const { readCalendarFile, readSeed } = await import('./seeds/seedFile.ts')
  const seeds: Seed[] = []
  for (const name of names) seeds.push(await readSeed(name, seeds, printError))
  for (const file of files) seeds.push(await readCalendarFile(file, seeds, printError))
  return seeds
}

async function readTools(name: string): Promise<RecordedTools['tools']> {
  const { parseRecordedTools } = await import('../mcp/recordedTools.ts')
  try {
    const { tools, differences } = parseRecordedTools(JSON.parse(readFile(name, 'tools').toString('utf8')))
    for (const line of differences) printError(`${name}: ${line}`)
    return tools
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${name}: not a JSON reply to tools/list`)
  }
}

function readCertificates(name: string): string {
  const text = readFile(name, 'certificates').toString('utf8')
  if (!isPemCertificates(text)) throw new CommandError(`${name}: not a file of PEM certificates`)
  return text
}

/** A valid seed may still contradict an earlier one: the error names the first file that cannot be applied. */
function makeServer(names: readonly string[], options: ServerOptions): Server {
  try {
    return new Server(options)
  } catch (error) {
    const culprit = names.find((_, at) => !canCreateServer({ ...options, seeds: options.seeds.slice(0, at + 1) }))
    if (error instanceof SeedError) throw new CommandError(summarizeProblems(culprit ?? 'seed', error.message))
    if (culprit === undefined || !(error instanceof Error)) throw error
    throw new CommandError(`${culprit}: cannot create a world because of an internal error; please report it: ${error}`)
  }
}

function canCreateServer(options: ServerOptions): boolean {
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

export const describeListenError = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return LISTEN_ERRORS[code] ?? (code || String(error))
}

/** If the port cannot be opened, closes the server. */
export async function listenOn(server: Server, { port, host }: ServerCommandOptions) {
  try {
    return await server.listen({ port, host })
  } catch (error) {
    await server.close()
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new CommandError(`cannot listen on ${host ?? DEFAULT_HOST}, port ${port}: ${describeListenError(error)}`)
  }
}
