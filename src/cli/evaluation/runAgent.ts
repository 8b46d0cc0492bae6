import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { AgentAttempt } from '../../control/types/attempts.ts'
import { AgentReply } from '../../evaluation/agent.ts'
import { AgentFailure, EvaluationStopped } from '../../evaluation/attempts.ts'
import { onAbort } from '../../model/clock.ts'
import { shortenLine } from '../../schema/values/shownText.ts'
import { endGroup } from '../exec/child.ts'
import { describeStartError } from '../output.ts'

/** Longer output is cut. In characters. */
const MAX_OUTPUT_LENGTH = 1_000_000
/** Of the end of the standard error, in which the line of an error is found. In characters. */
const MAX_ERRORS_LENGTH = 65_536
/** Further lines of a conversation are ignored. */
const MAX_TURNS = 100_000
/** Of the standard error in the evidence. In characters. */
const MAX_KEPT_ERRORS = 2000
/** A longer prompt is on standard input alone, because Linux limits a variable to 128 kB. In characters. */
const MAX_VARIABLE_LENGTH = 30_000

/** Variables that would give the agent control over a server. */
const HIDDEN = ['FAKE_CALENDAR_CONTROL_TOKEN', 'FAKE_CALENDAR_CONTROL_URL']

type AgentOptions = {
  stop: AbortSignal
  passesErrors: boolean
  /** True if an attempt has shown that the shell can run the command. */
  canRun: () => boolean
}

/**
 * Runs a command line by the shell, with the attempt in its environment and the prompt as its standard input. Resolves to its
 * output. Rejects with an AgentFailure if it ends with an error, and with EvaluationStopped if the shell cannot run it. At
 * the end, and when a signal aborts, it ends the process group of the command.
 */
export async function runAgent(
  command: string,
  attempt: AgentAttempt,
  { stop, passesErrors, canRun }: AgentOptions,
): Promise<AgentReply> {
  const isLeader = process.platform !== 'win32'
  const child = startShell(command, attempt, isLeader)
  const { pid } = child
  const end = async () => void (isLeader && pid !== undefined ? await endGroup(pid) : child.kill())
  const output = collectOutput(child)
  if (passesErrors) passErrors(child)
  const closed = once(child, 'close')
  // An agent that reads no input may end before it is written.
  child.stdin.on('error', () => {})
  const turns = attempt.isConversation ? converse(child, attempt) : undefined
  if (!turns) child.stdin.end(attempt.prompt)
  const removeListener = onAbort(AbortSignal.any([attempt.signal, stop]), () => void end())
  const [code, signal] = (await once(child, 'exit').catch((error: Error) => {
    throw new EvaluationStopped(describeStartError(error))
  })) as [number | null, NodeJS.Signals | null]
  removeListener()
  await end()
  await Promise.race([closed, setTimeout(OUTPUT_GRACE_MS, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  const work = {
    answer: (turns ? turns.last : output.stdout).trim(),
    command,
    stderr: output.stderr.slice(-MAX_KEPT_ERRORS),
  }
  if (code === 0) return new AgentReply(work)
  const line = takeErrorLine(output.stderr)
  const reason = signal ? `ended by ${signal}` : `exit code ${code}`
  // The exit codes of a shell that cannot run a command. An agent may end with them, too.
  if ((code === 126 || code === 127) && !canRun()) throw new EvaluationStopped(line || reason)
  throw new AgentFailure(line === '' ? reason : `${reason}: ${line}`, work)
}

/**
 * Gives and takes turns as lines of JSON: the prompt and each reply of the user are `{ "user": … }`, what the agent says is
 * `{ "agent": … }`. Its last turn is the answer. Other lines are ignored.
 */
function converse(child: ChildProcessWithoutNullStreams, { prompt, say }: AgentAttempt): { last: string } {
  const turns = { last: '' }
  const tell = (user: string) => child.stdin.write(`${JSON.stringify({ user })}\n`)
  tell(prompt)
  let [rest, count] = ['', 0]
  child.stdout.on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    const whole = end > 0 ? rest + text.slice(0, end) : ''
    if (end > 0) rest = ''
    if (rest.length < MAX_OUTPUT_LENGTH) rest += text.slice(end)
    for (const line of listTurnLines(whole)) {
      const said = ++count > MAX_TURNS ? undefined : parseTurn(line)
      if (said === undefined) continue
      turns.last = said
      say(said).then(tell, () => {})
    }
  })
  return turns
}

const TURN_NAME = '"agent"'

/** Lists the lines that may be turns, without splitting the others. The text ends with a line. */
function* listTurnLines(text: string): Generator<string> {
  for (let at = text.indexOf(TURN_NAME); at >= 0; ) {
    const end = text.indexOf('\n', at)
    yield text.slice(text.lastIndexOf('\n', at) + 1, end)
    at = text.indexOf(TURN_NAME, end)
  }
}

function parseTurn(line: string): string | undefined {
  try {
    const { agent } = Object(JSON.parse(line)) as { agent?: unknown }
    return typeof agent === 'string' ? agent : undefined
  } catch {
    return undefined
  }
}

/** The agent waits while this process cannot write, so that no text is held in memory. */
function passErrors({ stderr }: ChildProcessWithoutNullStreams): void {
  stderr.on('data', (text: string) => {
    if (process.stderr.write(text)) return
    stderr.pause()
    process.stderr.once('drain', () => stderr.resume())
  })
}

function startShell(command: string, attempt: AgentAttempt, isLeader: boolean): ChildProcessWithoutNullStreams {
  try {
    return spawn(command, { shell: true, detached: isLeader, stdio: 'pipe', env: toEnvironment(attempt) })
  } catch (error) {
    throw new EvaluationStopped(describeStartError(error))
  }
}

/** A process that left the group of the command may keep its output open. */
const OUTPUT_GRACE_MS = 1000

/** The streams are read to their end, because a full pipe would stop the agent. */
function collectOutput(child: ChildProcessWithoutNullStreams): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.stdout.length < MAX_OUTPUT_LENGTH) output.stdout = (output.stdout + text).slice(0, MAX_OUTPUT_LENGTH)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr = (output.stderr + text).slice(-MAX_ERRORS_LENGTH)
  })
  return output
}

const toEnvironment = ({ rest, mcp, token, account, now, prompt }: AgentAttempt): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !HIDDEN.includes(name))),
  FAKE_CALENDAR_REST_URL: rest,
  FAKE_CALENDAR_MCP_URL: mcp,
  FAKE_CALENDAR_TOKEN: token,
  FAKE_CALENDAR_ACCOUNT: account,
  FAKE_CALENDAR_NOW: now,
  ...(prompt.length <= MAX_VARIABLE_LENGTH && { FAKE_CALENDAR_PROMPT: prompt }),
})

/** Returns the last line that names an error, because Node prints its version after it, else the last line. */
function takeErrorLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return shortenLine(lines.findLast((line) => /^\w*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? '')
}
