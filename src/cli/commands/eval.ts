import { availableParallelism, constants } from 'node:os'
import { resolve } from 'node:path'
import type { AttemptResult } from '../../control/types/attempts.ts'
import type { AgentTask } from '../../control/types/task.ts'
import { createSecret } from '../../evaluation/variation.ts'
import { inspectorUrlOf } from '../../http/urls.ts'
import { onAbort } from '../../model/clock.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand, type OptionValues } from '../defineCommand.ts'
import { readTasks } from '../evaluation/readTasks.ts'
import { formatJUnit, formatTable, listProblems, summarizeAttempts } from '../evaluation/report.ts'
import { runAttempts } from '../evaluation/runAttempts.ts'
import { scoreAgain } from '../evaluation/scoreAgain.ts'
import { printProblems, selectTasks, TASK_OPTION } from '../evaluation/selectTasks.ts'
import { exitWithNpm } from '../exitOnSignal.ts'
import { flag, text } from '../optionTable.ts'
import { parseWholeNumber, requireText } from '../optionValues.ts'
import { printError } from '../output.ts'
import { readTextFile } from '../readFile.ts'
import { SERVER_OPTIONS, toServerOptions } from '../serverOptions.ts'
import { createServer, listenOn } from '../startServer.ts'
import { requireWritable, writeOutputFile } from '../writeOutputFile.ts'

const OPTIONS = {
  agent: text('COMMAND', 'Command line of the agent, for the shell; it gets the prompt on stdin and prints its answer'),
  runs: text('N', 'Attempts at each task (default 1)'),
  parallel: text('N', 'Attempts at the same time (default: the number of processors)'),
  vary: text('SEED', 'Vary the names, times, zones and order of each attempt, by this number and that of the run'),
  task: TASK_OPTION,
  resume: text('FILE', 'Keep the attempts of a report of --json, and make those that are missing'),
  score: text(
    'FILE',
    'Instead of --agent: grade the attempts of a report of --json by the present goals of their tasks',
  ),
  'min-score': text('SCORE', 'Exit with 2 if the mean score is below this number'),
  json: text('FILE', 'Write the results as JSON'),
  junit: text('FILE', 'Write the results as JUnit XML'),
  ui: flag('Print the address of the inspector on stderr, and keep the worlds until SIGINT'),
  port: { ...SERVER_OPTIONS.port, about: 'Port of the fake (default: a free one)' },
  'mcp-tools': SERVER_OPTIONS['mcp-tools'],
  'strict-surface': SERVER_OPTIONS['strict-surface'],
  log: {
    ...SERVER_OPTIONS.log,
    about: 'Print a line for each request on stderr, and pass on what the agent prints there',
  },
} as const

const BELOW_MIN_SCORE = 2
const NONE_RAN = 3

const MAX_RUNS = 10_000
const MAX_PARALLEL = 1000

export const evaluate = defineCommand({
  name: 'eval',
  usage: [
    'eval [options] --agent COMMAND TASKS…     (task files, or folders of them)',
    'eval [options] --score FILE TASKS…',
  ],
  notes: `The agent finds its attempt in FAKE_CALENDAR_REST_URL, FAKE_CALENDAR_MCP_URL, FAKE_CALENDAR_TOKEN, FAKE_CALENDAR_ACCOUNT,
FAKE_CALENDAR_NOW and FAKE_CALENDAR_PROMPT. Its exit code other than 0, a timeout and an empty world are results, not errors.`,
  options: OPTIONS,
  operands: 'files',
  examples: [
    ["fake-calendar eval tasks --agent 'python3 agent.py'", 'one attempt at each task of a folder'],
    ["fake-calendar eval tasks --agent 'node agent.js' --runs 8 --vary 1", 'eight attempts, each in another world'],
    ['fake-calendar eval tasks --agent ./agent --junit junit.xml --min-score 0.8', 'in CI'],
    ['fake-calendar eval tasks --score report.json', 'after a change of the goals, without the agent'],
  ],
  exitCodes: [
    ['0', 'all attempts ended, whatever their scores'],
    ['1', 'wrong options or tasks, an agent that cannot be run, or a file that cannot be written'],
    ['2', 'the mean score is below --min-score'],
    ['3', 'no agent ran to its end'],
    ['128+N', 'signal N ended the evaluation; the finished attempts are reported'],
  ],
  run: runEvaluation,
})

async function runEvaluation(values: OptionValues<typeof OPTIONS>, names: readonly string[]): Promise<void> {
  const options = toEvalOptions(values)
  if (names.length === 0)
    throw new CommandError('eval: requires a task file or a folder (eval --help lists the options)')
  for (const name of ['json', 'junit'] as const) {
    const file = values[name]
    if (file === undefined) continue
    if (file === '-') throw new CommandError(`--${name}: - (expected the name of a file)`)
    requireWritable(requireText(`--${name}`, file, 'a file'), `--${name}: ${file}: cannot be written`)
  }
  const { json, junit } = values
  if (json !== undefined && junit !== undefined && resolve(json) === resolve(junit))
    throw new CommandError(`--junit: ${junit}: --json names the same file`)
  const scored = values.score === undefined ? undefined : readReport('--score', values.score)
  const isVaried = options.vary !== undefined || scored?.some(({ evidence }) => evidence.vary !== null) === true
  const { tasks: all, files, problems } = await readTasks(names, { isVaried })
  for (const [name, file] of Object.entries({ json, junit }))
    if (file !== undefined && files.some((one) => resolve(one) === resolve(file)))
      throw new CommandError(`--${name}: ${file}: is a task file`)
  if (printProblems(problems)) return
  const tasks = selectTasks(all, values.task)
  const known = values.resume === undefined ? [] : readReport('--resume', values.resume)
  const rescored = scored?.filter(({ task }) => tasks.some(({ name }) => name === task))
  if (rescored?.length === 0) throw new CommandError(`--score: ${values.score}: has no attempt at these tasks`)
  const controlToken = createSecret()
  const serverOptions = toServerOptions(
    { ...values, json: undefined },
    { PORT: '0', FAKE_CALENDAR_CONTROL_TOKEN: controlToken },
  )
  const server = await createServer({ ...serverOptions, auth: { mode: 'strict' }, journal: 10_000 })
  const { url } = await listenOn(server, serverOptions)
  const interruption = listenForSignals()
  if (values.ui) {
    exitWithNpm(process.env.npm_lifecycle_script, () => interruption.end('SIGTERM'))
    process.stderr.write(`${inspectorUrlOf(`${url}/`, controlToken, 'worlds')}\n`)
  }
  try {
    const results = rescored
      ? await gradeAgain(server, tasks, rescored, { ...options, stop: interruption.signal })
      : await runAttempts(server, tasks, { ...options, known, stop: interruption.signal })
    if (interruption.signal.aborted) {
      process.exitCode = interruption.exitCode
      const attempts = rescored?.length ?? options.runs * tasks.length
      printError(`eval: ended by ${interruption.signal.reason} after ${results.length} of ${attempts} attempts`)
      if (results.length > 0) report(tasks, results, values)
      return
    }
    const meanScore = report(tasks, results, values)
    if (meanScore < options.minScore) process.exitCode = BELOW_MIN_SCORE
    reportCrashes(results)
    if (values.ui) await new Promise<void>((resolve) => onAbort(interruption.signal, resolve))
  } finally {
    interruption.close()
    await server.close()
  }
}

async function gradeAgain(...given: Parameters<typeof scoreAgain>): Promise<AttemptResult[]> {
  const { results, lost } = await scoreAgain(...given)
  for (const { task, attempt } of lost) {
    printError(
      `eval: ${task} #${attempt}: not graded: its requests have other effects in the present world of the task`,
    )
    process.exitCode = 1
  }
  return results
}

/** Says on stderr how many agents did not run to their end, because their scores say nothing about what they can do. */
function reportCrashes(results: readonly AttemptResult[]): void {
  const failures = results.flatMap(({ missing }) => missing.filter(({ what }) => what === 'failure'))
  const [first] = failures
  if (!first) return
  printError(`eval: ${failures.length} of ${results.length} agents did not run to their end; the first: ${first.text}`)
  if (failures.length === results.length) process.exitCode = NONE_RAN
}

/** Throws a CommandError for a file that is no report. */
function readReport(option: string, file: string): AttemptResult[] {
  try {
    const { attempts } = JSON.parse(readTextFile(file, 'report')) as { attempts: AttemptResult[] }
    if (attempts.every(({ task, attempt, missing, evidence }) => task && attempt && missing && evidence.taskHash))
      return attempts
  } catch (error) {
    if (error instanceof CommandError) throw error
  }
  throw new CommandError(`${option}: ${file}: not a report of --json`)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Signals do not end this process, because agents would remain. */
function listenForSignals() {
  const controller = new AbortController()
  const interruption = {
    signal: controller.signal,
    exitCode: undefined as number | undefined,
    end(name: NodeJS.Signals) {
      interruption.exitCode ??= 128 + constants.signals[name]
      controller.abort(name)
    },
    close() {
      for (const name of SIGNALS) process.off(name, interruption.end)
    },
  }
  for (const name of SIGNALS) process.on(name, interruption.end)
  return interruption
}

function toEvalOptions(values: OptionValues<typeof OPTIONS>) {
  const { agent, runs, parallel, vary, 'min-score': minScore } = values
  const { score } = values
  const beside = score === undefined ? [] : (['agent', 'runs', 'parallel', 'vary', 'resume'] as const)
  for (const name of beside)
    if (values[name] !== undefined) throw new CommandError(`--${name}: not with --score, which runs no agent`)
  if (agent === undefined && score === undefined)
    throw new CommandError('eval: requires --agent or --score (eval --help lists the options)')
  return {
    command: agent === undefined ? '' : requireText('--agent', agent, 'a command line'),
    runs: runs === undefined ? 1 : parseCount('--runs', runs, MAX_RUNS),
    parallel: parallel === undefined ? availableParallelism() : parseCount('--parallel', parallel, MAX_PARALLEL),
    vary: vary === undefined ? undefined : parseWholeNumber('--vary', vary),
    minScore: minScore === undefined ? 0 : parseScore(minScore),
    keepsWorlds: values.ui ?? false,
    passesErrors: values.log ?? false,
  }
}

function parseCount(option: string, text: string, max: number): number {
  const count = parseWholeNumber(option, text)
  if (count > 0 && count <= max) return count
  throw new CommandError(`${option}: ${text} (expected a number from 1 to ${max})`)
}

function parseScore(text: string): number {
  const score = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (score <= 1) return score
  throw new CommandError(`--min-score: ${text} (expected a number from 0 to 1)`)
}

function report(
  tasks: readonly AgentTask[],
  results: readonly AttemptResult[],
  { json, junit }: OptionValues<typeof OPTIONS>,
): number {
  const summaries = tasks
    .map((task) =>
      summarizeAttempts(
        task,
        results.filter((one) => one.task === task.name),
      ),
    )
    .filter(({ attempts }) => attempts > 0)
  const total = summarizeAttempts({ name: 'All tasks' }, results)
  const problems = listProblems(results).map((line) => `${line}\n`)
  process.stdout.write(formatTable(summaries, total) + (problems.length > 0 ? `\n${problems.join('')}` : ''))
  try {
    if (junit !== undefined) writeOutputFile(junit, formatJUnit(summaries, results), `--junit: ${junit}`)
  } finally {
    if (json !== undefined) {
      const text = JSON.stringify({ total, tasks: summaries, attempts: results }, null, 2)
      writeOutputFile(json, `${text}\n`, `--json: ${json}`)
    }
  }
  return total.score
}
