import type { HostForwards } from '../../interception/hosts.ts'
import type { Isolation } from '../../interception/isolation.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand, type OptionValues } from '../defineCommand.ts'
import { runChild } from '../exec/child.ts'
import { createServerEnv } from '../exec/childEnv.ts'
import type { Env } from '../exec/env.ts'
import type { OpenProxy } from '../exec/openProxy.ts'
import { SignalForwarder } from '../exec/signals.ts'
import { openTemporaryFolder, type TemporaryFolder } from '../exec/temporaryFolder.ts'
import { flag, inGroup, text } from '../optionTable.ts'
import { requireEmail } from '../optionValues.ts'
import { describeFileError } from '../output.ts'
import { SERVER_OPTIONS, type ServerCommandOptions, toServerOptions } from '../serverOptions.ts'
import { type RunningServer, reportNewAccount, startServer } from '../startServer.ts'
import { keepState } from '../stateFile.ts'
import { ALLOW, FORWARD, requireAllowedHosts, requireForwards } from './proxy.ts'

const { quiet: _, json: __, port, ...SERVER } = SERVER_OPTIONS

const OPTIONS = {
  ...inGroup('Command', {
    intercept: flag("Answer the command's requests to the hosts of the service, and reject requests to other hosts"),
    isolate: flag('Linux: run the command in a network namespace whose only exit is the proxy; implies --intercept'),
    allow: ALLOW,
    forward: FORWARD,
    as: text('EMAIL', 'Account that signs in if the request names none (default: the first account)'),
    ui: flag('Print the address of the inspector on stderr'),
  }),
  port: { ...port, about: 'Port of the fake (default: a free one)' },
  ...SERVER,
} as const

type ExecOptions = {
  server: ServerCommandOptions
  intercept: boolean
  isolate: boolean
  ui: boolean
  allow: string[]
  forwards: HostForwards
  as: string | undefined
}

export const exec = defineCommand({
  name: 'exec',
  usage: ['exec [options] -- COMMAND [ARGUMENTS]'],
  notes: `The command finds its fake through FAKE_CALENDAR_URL, FAKE_CALENDAR_CONTROL_URL and GOOGLE_CALENDAR_EMULATOR_HOST. BROWSER
names a program that grants consent, so that programs sign in unattended.`,
  options: OPTIONS,
  operands: 'afterDashes',
  examples: [
    ['fake-calendar exec --seed team -- npm test', 'tests that read FAKE_CALENDAR_URL'],
    ['fake-calendar exec --intercept -- python3 app.py', 'a program that calls www.googleapis.com'],
    ['fake-calendar exec --intercept --as bob@example.com -- gcalcli agenda', 'a program that signs in by a browser'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['N', 'exit code of the command'],
    ['128+N', 'signal N ended the command'],
    ['126, 127', 'the command cannot be run, or does not exist'],
    ['1', 'the command was not started: stderr gives the reason in one line'],
  ],
  run: async (values, [command, ...args]) => {
    if (!command)
      throw new CommandError(
        'exec: requires a command after --, as in: fake-calendar exec -- npm test (exec --help lists the options)',
      )
    await runWithFake(toExecOptions(values), command, args)
  },
})

function toExecOptions(values: OptionValues<typeof OPTIONS>): ExecOptions {
  const { isolate = false, intercept = isolate, allow = [] } = values
  if (allow.length > 0 && !intercept) throw new CommandError('--allow: requires --intercept')
  if (values.forward && !intercept) throw new CommandError('--forward: requires --intercept')
  const as = values.as === undefined ? undefined : requireEmail('--as', values.as)
  return {
    server: { ...toServerOptions(values, { ...process.env, PORT: '0' }), signInAs: as, printsHints: true },
    intercept,
    isolate,
    ui: values.ui ?? false,
    allow: requireAllowedHosts(allow),
    forwards: requireForwards(values.forward),
    as,
  }
}

async function runWithFake(options: ExecOptions, command: string, args: readonly string[]): Promise<void> {
  // A signal must not end this process from here on, because the command and temporary files would remain.
  const signals = new SignalForwarder()
  const running = await startServer(options.server)
  const saveState = keepState(running.server, options.server.state)
  let code: number
  let isSaved: boolean
  try {
    code = await runWithEnv(options, running, signals, command, args)
  } finally {
    await running.server.close()
    isSaved = saveState()
    signals.close()
  }
  // A handle may still be open.
  process.exit(code === 0 && !isSaved ? 1 : code)
}

async function runWithEnv(
  options: ExecOptions,
  { server, started }: RunningServer,
  signals: SignalForwarder,
  command: string,
  args: readonly string[],
): Promise<number> {
  const env = { ...process.env, ...createServerEnv(started) }
  if (options.as !== undefined) reportNewAccount(server, options.server, '--as', options.as)
  if (options.ui) process.stderr.write(`${started.ui}\n`)
  let folder: TemporaryFolder | undefined
  let proxy: OpenProxy | undefined
  let isolation: Isolation | undefined
  try {
    folder = openTemporaryFolder({ isRequired: options.intercept })
    if (options.intercept && folder) {
      const { openProxyForServer } = await import('../exec/openProxy.ts')
      const { allow, forwards } = options
      proxy = await openProxyForServer(server, { folder: folder.path, allow, forwards, port: 0, env })
      if (options.isolate) isolation = await isolateCommand(proxy, folder.path, started.url, [...forwards.keys()])
    }
    const browser: Env = folder ? await loadConsentBrowserEnv(folder.path, options) : {}
    const [program, programArgs] = isolation?.wrapCommand(command, args) ?? [command, args]
    return await runChild(program, programArgs, { ...env, ...proxy?.env, ...browser }, signals)
  } finally {
    isolation?.close()
    await proxy?.close()
    folder?.remove()
  }
}

/**
 * If the scripts cannot be written and no requests are intercepted, there are no variables, because the command may
 * not sign in.
 */
async function loadConsentBrowserEnv(folder: string, { as, intercept }: ExecOptions): Promise<Env> {
  const { createConsentBrowserEnv } = await import('../exec/consentBrowserEnv.ts')
  try {
    return createConsentBrowserEnv(folder, as)
  } catch (error) {
    if (!intercept) return {}
    throw new CommandError(`${folder}: cannot write temporary files: ${describeFileError(error)}`)
  }
}

/** The only exit of the network namespace is the proxy. `fake` is the address of the server. */
async function isolateCommand(
  { url, acceptConnection }: OpenProxy,
  folder: string,
  fake: string,
  forwarded: readonly string[],
): Promise<Isolation> {
  const { IsolationError, openIsolation } = await import('../../interception/isolation.ts')
  try {
    return await openIsolation({ folder, acceptConnection, forwarded, proxy: new URL(url), fake: new URL(fake) })
  } catch (error) {
    throw error instanceof IsolationError ? new CommandError(`--isolate: ${error.message}`) : error
  }
}
