import { accessSync, constants, existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Isolation } from '../../interception/isolation.ts'
import type { Behind } from '../../interception/proxy.ts'
import type { Seed } from '../../wire/seeds/seed.ts'
import { CommandError } from '../commandError.ts'
import { runChild } from '../exec/child.ts'
import { type Env, told } from '../exec/childEnv.ts'
import type { Way } from '../exec/openProxy.ts'
import type { Started } from '../greeting.ts'
import type { Options } from '../serverOptions.ts'
import { readExec, readProxy } from './proxy.ts'

/** A server that listens, as these commands need it. */
export type Running = Behind & { started: Started; state(): Seed; close(): Promise<void> }
/** Starts one; what keeps it from starting is a CommandError. */
export type Begin = (options: Options) => Promise<Running>

/** What is sent to the service's hosts is led here: loaded where somebody asks for it. */
const openWay = async (...args: Parameters<typeof import('../exec/openProxy.ts').openWay>): Promise<Way> =>
  (await import('../exec/openProxy.ts')).openWay(...args)

async function openIsolation({ url, folder, take }: Way, fake: string): Promise<Isolation> {
  const { IsolationError, isolate } = await import('../../interception/isolation.ts')
  try {
    return await isolate({ folder, take, proxy: new URL(url), fake: new URL(fake) })
  } catch (error) {
    throw error instanceof IsolationError ? new CommandError(`--isolate: ${error.message}`) : error
  }
}

/** Where a person looks at the worlds. The token stands behind #, which no server is sent. */
const inspector = (url: string, token: string | undefined): string =>
  `${url}/_ui/${token === undefined ? '' : `#token=${encodeURIComponent(token)}`}`

/** Runs a command beside a fake of its own, and ends with its exit code. */
export async function exec(args: readonly string[], begin: Begin): Promise<void> {
  const asked = readExec(args, process.env)
  if (asked.ask === 'help') {
    process.stdout.write(asked.text)
    return
  }
  const { exportOnExit, server, intercept, command, ui } = asked
  if (exportOnExit !== undefined) requireWritable(exportOnExit)
  const running = await begin(server)
  const around = { ...process.env, ...told(running.started.url) }
  if (ui) process.stderr.write(`${inspector(running.started.url, server.controlToken)}\n`)
  let way: Way | undefined
  let isolation: Isolation | undefined
  try {
    if (intercept) way = await openWay(running, asked.allow, 0, around)
    if (way && asked.isolate) isolation = await openIsolation(way, running.started.url)
    const [program, args] = isolation?.entering(command, asked.args) ?? [command, asked.args]
    const code = await runChild(program, args, { ...around, ...way?.env })
    if (exportOnExit !== undefined) writeState(exportOnExit, running.state())
    process.exitCode = code
  } finally {
    isolation?.close()
    await way?.close()
    await running.close()
  }
  // Nothing is left to do, whatever may still hold the process.
  process.exit()
}

/** A server and a proxy that leads to it, until they are ended by a signal. */
export async function proxy(args: readonly string[], begin: Begin): Promise<void> {
  const asked = readProxy(args, process.env)
  if (asked.ask === 'help') {
    process.stdout.write(asked.text)
    return
  }
  const { server, allow, proxyPort } = asked
  const running = await begin(server)
  const { started, close } = running
  const {
    env,
    url,
    close: closeProxy,
  } = await openWay(running, allow, proxyPort, process.env).catch(async (error) => {
    await close()
    throw error
  })
  const end = () =>
    closeProxy()
      .then(close)
      .then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  const variables = { ...told(started.url), ...env }
  if (server.output === 'json') process.stdout.write(`${JSON.stringify({ ...started, proxy: url, env: variables })}\n`)
  if (server.output === 'text') process.stdout.write(inShell(variables))
}

/** As a POSIX shell takes them: `eval "$(…)"`, or pasted. */
const inShell = (env: Env): string =>
  Object.entries(env)
    .map(([name, value]) =>
      value === undefined ? `unset ${name}\n` : `export ${name}='${value.replaceAll("'", "'\\''")}'\n`,
    )
    .join('')

/** A run may be long: that its outcome cannot be kept is said before it. */
function requireWritable(file: string): void {
  const folder = dirname(resolve(file))
  const problem = () => {
    if (!existsSync(folder)) return 'there is no such folder'
    if (existsSync(file) && statSync(file).isDirectory()) return 'this is a folder'
    try {
      accessSync(existsSync(file) ? file : folder, constants.W_OK)
    } catch {
      return 'writing it is not permitted'
    }
  }
  const because = problem()
  if (because) throw new CommandError(`--export-on-exit: ${file}: cannot write the state: ${because}`)
}

/** All of it or nothing. */
function writeState(file: string, state: Seed): void {
  writeFileSync(`${file}.part`, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(`${file}.part`, file)
}
