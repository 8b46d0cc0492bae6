import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const COMMAND = fileURLToPath(new URL('../../bin/fake-calendar.js', import.meta.url))
const RUN_COMMANDS = fileURLToPath(new URL('runCommands.js', import.meta.url))

export type Ended = { code: number | null; stdout: string; stderr: string }
type Spawned = {
  command?: string
  env?: Record<string, string | undefined>
  cwd?: string
  timeout?: number
  input?: string
}

/** Runs a program until it ends, by default Node. */
export async function run(
  args: readonly string[],
  { command = process.execPath, env, cwd, timeout, input }: Spawned = {},
) {
  const child = spawn(command, args, {
    cwd,
    timeout,
    env: { ...process.env, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  return waitForEnd(child)
}

/** Waits for the end of a process. Returns its exit code (null after a signal) and its output. */
async function waitForEnd(child: ChildProcess): Promise<Ended> {
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

/**
 * Runs the command `fake-calendar` until it ends. For arguments that start no server: after 100 seconds the
 * process is ended, and its exit code is null.
 */
export const fakeCalendar = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  run([COMMAND, ...args], { env: { PORT: '', ...env }, timeout: 100_000 })

let commands: ReturnType<typeof openCommands> | undefined

/**
 * Runs a command line in a process that it shares with others, one after the other. Use it for commands that end by
 * themselves, if neither the process nor its signals are tested. A server ends with 0 when it listens, and must not print
 * later.
 */
export function runCommand(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<Ended> {
  commands ??= openCommands()
  return commands({ args, env: { PORT: '', ...env }, cwd })
}

/** Starts the process for `runCommand`. It ends when the process of the tests closes its standard input. */
function openCommands() {
  const child = spawn(process.execPath, [RUN_COMMANDS], { stdio: ['pipe', 'pipe', 'inherit'] })
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  return (command: { args: readonly string[]; env: Record<string, string>; cwd: string }): Promise<Ended> => {
    const ended = last.then(async () => {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      const { value, done } = await replies.next()
      if (done) {
        commands = undefined
        throw new Error(`fake-calendar ${command.args.join(' ')} ended the process that commands share`)
      }
      return JSON.parse(value)
    })
    last = ended.catch(() => {})
    return ended
  }
}

/**
 * Starts a program that keeps running. `printed` waits until its output matches, and rejects if it ends before. `stop` ends
 * it and returns its output. `kill` sends it a signal.
 */
export function launch(args: readonly string[], { command, env, cwd }: Spawned = {}) {
  const argv = command ? args : [COMMAND, ...args]
  const child = spawn(command ?? process.execPath, argv, {
    cwd,
    env: { ...process.env, PORT: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A runner such as npx starts the command as a child process. As a group, both end together.
    detached: command !== undefined,
  })
  const end = waitForEnd(child)
  let text = ''
  const printed = (enough: RegExp) =>
    new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (more: string) => {
        text += more
        if (enough.test(text)) resolve(text)
      })
      end.then(({ code, stderr }) => reject(new Error(`ended with ${code} before it was ready: ${stderr}`)))
    })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (command === undefined) child.kill(signal)
    else if (child.pid !== undefined) process.kill(-child.pid, signal)
    return end
  }
  /** Sends a signal to the program, but not to its child processes. */
  const kill = (signal: NodeJS.Signals) => child.kill(signal)
  return { printed, stop, kill }
}

/** The output of `--json`. */
export type Started = {
  url: string
  rootUrl: string
  baseUrl: string
  host: string
  port: number
  accounts: string[]
}

/**
 * Starts a server on a free port in the process that commands share, where it listens until the tests end. Use it if neither a
 * process, nor signals, nor output after the start is tested. Returns its addresses and
 * what it printed.
 */
export async function openServer(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { stdout: line, stderr } = await runCommand(['--port', '0', '--json', ...args], env)
  if (line === '') throw new Error(stderr)
  return { ...(JSON.parse(line) as Started), line, stderr }
}

/** Starts `fake-calendar` on a free port. Returns its addresses when it is ready, and `stop`, which ends it. */
export async function serve(args: readonly string[] = [], spawned: Spawned = {}) {
  const { printed, stop } = launch(['--port', '0', '--json', ...args], spawned)
  const line = await printed(/\n$/)
  return { ...(JSON.parse(line) as Started), line, stop }
}
