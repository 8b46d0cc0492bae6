import { createInterface } from 'node:readline/promises'
import { isLoopback } from '../../schema/values/loopback.ts'
import { CommandError } from '../commandError.ts'
import { boundedFetch, impatientFetch, removeTokens, toOneLine } from '../conform/boundedFetch.ts'
import { describeResponse, InconclusiveError } from '../conform/expect.ts'
import { formatReport, type ReportFormat } from '../conform/report.ts'
import { type Fetch, retryingFetch } from '../conform/retryingFetch.ts'
import { type Run, runScenarios } from '../conform/run.ts'
import type { Permission } from '../conform/scenario.ts'
import { GROUPS } from '../conform/scenarios/index.ts'
import { sendRequest, type Target } from '../conform/target.ts'
import { isUnder } from '../conform/verdicts.ts'
import { defineCommand, type OptionValues } from '../defineCommand.ts'
import { parseHttpUrl, readAccessTokens, requireText, TOKEN_OPTIONS } from '../optionValues.ts'
import { escapeControlsInLines, printError } from '../output.ts'
import { openProgress, type StatusLine } from '../progress.ts'
import { openFake } from '../startServer.ts'
import { writeOutputFile } from '../writeOutputFile.ts'

// Permissions of scenarios: to write to the primary calendar, to invite the second account, and to a server of this machine.
const ALL_PERMISSIONS: ReadonlySet<Permission> = new Set(['primary', 'guest'])
const LOOPBACK_PERMISSIONS: ReadonlySet<Permission> = new Set([...ALL_PERMISSIONS, 'loopback'])
const NO_PERMISSIONS: ReadonlySet<Permission> = new Set()

const OPTIONS = {
  'base-url': {
    type: 'string',
    value: 'URL',
    group: 'Server',
    about: 'Address of the server, such as https://www.googleapis.com/calendar/v3',
  },
  token: {
    ...TOKEN_OPTIONS.token,
    group: 'Server',
    about: 'Access token of an account, and of a second one that it invites (env FAKE_CALENDAR_TOKEN)',
  },
  'token-file': { ...TOKEN_OPTIONS['token-file'], group: 'Server' },
  only: {
    type: 'string',
    multiple: true,
    value: 'HEADING',
    group: 'Server',
    about: 'Only the scenarios of a heading of docs/behaviour, such as 4.3, and of the headings below it',
  },
  yes: {
    type: 'boolean',
    short: 'y',
    group: 'Server',
    about: 'Write to the calendars of the accounts without asking',
  },
  har: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    group: 'Recording',
    about: 'Replay a recording of the service to a fake instead: HAR, nock, Polly or VCR',
  },
  json: { type: 'boolean', group: 'Report', about: 'Report as JSON' },
  junit: { type: 'boolean', group: 'Report', about: 'Report as JUnit XML' },
  output: {
    type: 'string',
    short: 'o',
    value: 'FILE',
    group: 'Report',
    about: 'File to write the report to (default: stdout)',
  },
} as const

const NOTES = `Runs scenarios against a server, and reports for each heading of docs/behaviour whether the server agrees.

The scenarios work in calendars that they create, called "fake-calendar conform", and remove them at the end. Some also write
events to the primary calendar and remove them, and invite the second account without mail: the command asks before these.
Without a terminal they are skipped, unless --yes is given or the server is on this machine.`

/** `fake-calendar conform`: reports whether a server, or a recording of one, behaves as docs/behaviour describes. */
export const conform = defineCommand({
  name: 'conform',
  usage: ['conform --base-url URL --token A [--token B] [options]', 'conform --har FILE [options]'],
  notes: NOTES,
  options: OPTIONS,
  examples: [
    ['fake-calendar conform --base-url http://127.0.0.1:8787 --token alice@example.com', 'a fake on this machine'],
    ['fake-calendar conform --base-url https://www.googleapis.com/calendar/v3 --token-file tokens.txt', 'the service'],
    ['fake-calendar conform --har recording.har --junit -o report.xml', 'a recording, with a report for CI'],
  ],
  exitCodes: [
    ['0', 'nothing differs'],
    ['1', 'something differs, or stderr gives the reason in one line'],
    ['130', 'interrupted, without a report'],
  ],
  run: runConform,
})

/** The validated options: to replay the recordings `files`, or to run scenarios. */
type ConformRequest = { format: ReportFormat /** A file; stdout if undefined. */; output: string | undefined } & (
  | { kind: 'traffic'; files: readonly string[] }
  | {
      kind: 'scenarios'
      /** The base URL; it ends in `/calendar/v3`. */
      baseUrl: string
      tokens: { owner: string; guest?: string }
      /** The selected headings; empty for all. */
      only: string[]
      /** True if writing to the accounts' own calendars is permitted. */
      yes: boolean
    }
)

/** Validates the options. Throws a CommandError that names the invalid or missing one. */
function toConformRequest(values: OptionValues<typeof OPTIONS>): ConformRequest {
  const { json, junit, output, har, yes = false, only = [], 'base-url': url } = values
  if (json && junit) throw new CommandError('--json: cannot be combined with --junit')
  if (output !== undefined) requireText('--output', output, 'a file')
  const format = json ? 'json' : junit ? 'junit' : 'text'
  if (har) {
    if (url !== undefined || values.token || values['token-file'] || only.length > 0 || yes)
      throw new CommandError('--har: cannot be combined with --base-url, --token, --only or --yes')
    return { kind: 'traffic', files: har, format, output }
  }
  if (url === undefined)
    throw new CommandError('conform: requires --base-url URL or --har FILE (conform --help lists the options)')
  const [owner, guest, ...others] = readAccessTokens(values, process.env)
  if (!owner) throw new CommandError('conform: requires --token TOKEN (conform --help lists the options)')
  if (others.length > 0) throw new CommandError('--token: at most two: an account, and a second one that it invites')
  if (guest === owner) throw new CommandError('--token: both are equal (expected a token of another account)')
  const tokens = guest === undefined ? { owner } : { owner, guest }
  return { kind: 'scenarios', baseUrl: parseBaseUrl(url), tokens, only: only.map(requireHeading), yes, format, output }
}

/**
 * Replays recordings, or runs scenarios, and prints the report. The exit code is 1 for a difference. Rejects with a
 * CommandError for invalid options, a server or token that does not work, and a file that cannot be read or written.
 */
async function runConform(values: OptionValues<typeof OPTIONS>): Promise<void> {
  const request = toConformRequest(values)
  const progress = openProgress()
  const { format, output } = request
  try {
    if (request.kind === 'traffic') {
      const { playRecordings } = await import('../conform/traffic/command.ts')
      const { report, differs } = await playRecordings(request.files, format, openFake, progress)
      printReport(report, output)
      process.exitCode = differs ? 1 : 0
      return
    }
    const { baseUrl, tokens, only, yes } = request
    const stop = new AbortController()
    let isUnresponsive = false
    const fetch = impatientFetch(createConformFetch(progress), () => {
      isUnresponsive = true
      stop.abort()
    })
    const target: Target = { fetch, baseUrl, tokens, stop: stop.signal }
    await requireAccounts(target)
    const permissions = isLoopback(new URL(baseUrl).hostname)
      ? LOOPBACK_PERMISSIONS
      : yes || (await askPermission())
        ? ALL_PERMISSIONS
        : NO_PERMISSIONS
    const result = await runUntilSignal(stop, () =>
      runScenarios({
        groups: GROUPS,
        target,
        permissions,
        filter: ({ headings }) =>
          only.length === 0 || headings.some((heading) => only.some((one) => isUnder(heading, one))),
        onProgress: (name, at, of) => progress.show(`${at}/${of} ${name}`),
      }),
    )
    progress.clear()
    const report = formatReport(only.length > 0 ? selectHeadings(result, only) : result, format)
    if (isUnresponsive) throw new CommandError(describeUnresponsive(result))
    reportRun(result, output, removeTokens(report, Object.values(tokens)))
  } finally {
    progress.clear()
  }
}

/** Returns a run without the headings that `--only` does not select, because not all of their scenarios did run. */
const selectHeadings = ({ outcomes, ...rest }: Run, only: readonly string[]): Run => ({
  ...rest,
  outcomes: outcomes.map(({ headings, ...outcome }) => ({
    ...outcome,
    headings: headings.filter((heading) => only.some((one) => isUnder(heading, one))),
  })),
})

/** Formats the message for a server that no longer answers; it names the calendars that could not be removed. */
const describeUnresponsive = ({ server, left }: Run): string =>
  `--base-url: ${server} no longer answers${left.length > 0 ? `; remove these calendars: ${left.map(toOneLine).join(', ')}` : ''}`

/**
 * Prints the report of a run and sets the exit code: 1 for a difference, 130 after an interruption. An interrupted run has no
 * report, because it would look complete. Names the calendars that could not be removed on stderr.
 */
function reportRun(result: Run, output: string | undefined, report: string): void {
  const { outcomes, interrupted, left } = result
  if (interrupted) {
    const rest = left.length > 0 ? `remove these calendars: ${left.join(', ')}` : 'its calendars are removed'
    printError(`conform: interrupted; ${rest}`)
    process.exitCode = 130
    return
  }
  printReport(report, output)
  for (const id of left) printError(`conform: the calendar ${id} could not be removed: remove it yourself`)
  process.exitCode = outcomes.some(({ verdict }) => verdict === 'differs') ? 1 : 0
}

/**
 * Resolves to the result of `work`. The first SIGINT or SIGTERM aborts `stop`, which ends the run; it then removes what it
 * created. The second ends the process with 130.
 */
async function runUntilSignal<T>(stop: AbortController, work: () => Promise<T>): Promise<T> {
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/**
 * Returns a fetch with the limits of `boundedFetch` and the retries of `retryingFetch`, which shows its pauses. The
 * signal of a call ends a pause but never a request, because a resource that the request creates must be removed
 * later.
 */
const createConformFetch = (progress: StatusLine): Fetch =>
  retryingFetch((input, init) => boundedFetch(fetch)(input, { ...init, signal: null }), {
    onWait: ({ ms, because }) => progress.show(`waiting ${Math.ceil(ms / 1000)} s: ${because}`),
  })

/**
 * Reads the primary calendar by each token. Rejects with a CommandError if the server cannot be reached or rejects a token, so
 * that this is one line and not a failure of every scenario.
 */
async function requireAccounts(target: Target): Promise<void> {
  const callers = target.tokens.guest === undefined ? (['owner'] as const) : (['owner', 'guest'] as const)
  /** Returns a text of the server in one line, without the tokens. */
  const oneLine = (text: string) => removeTokens(toOneLine(text), Object.values(target.tokens))
  for (const as of callers) {
    const answer = await sendRequest(target, 'GET', '/calendars/primary', undefined, { as }).catch((error: unknown) => {
      throw error instanceof InconclusiveError
        ? new CommandError(`--base-url: ${target.baseUrl}: ${oneLine(error.message)}`)
        : error
    })
    if (answer.status !== 200)
      throw new CommandError(
        `--token: the ${as === 'owner' ? 'first' : 'second'} was rejected: ${oneLine(describeResponse(answer))}`,
      )
  }
}

/**
 * Asks at the terminal for permission to write to the accounts' own calendars. Resolves to false without a terminal. Ctrl-C
 * ends the process with 130.
 */
async function askPermission(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Without this, the question would never be answered, and the process would end with 0.
  terminal.on('SIGINT', () => process.exit(130))
  try {
    const question =
      'Some scenarios write events to the primary calendar and remove them, and invite the second account (no mail).\nRun these too? [y/N] '
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

/** Prints a report on stdout, or writes it to a file. Throws a CommandError if that fails. */
function printReport(report: string, file: string | undefined): void {
  // The report contains text of the server, which must not control a terminal.
  const text = escapeControlsInLines(report)
  if (file === undefined) process.stdout.write(text)
  else writeOutputFile(file, text, `--output: ${file}`)
}

/**
 * Returns the base URL of the API, which ends in `/calendar/v3`, for an address with or without that. Throws a CommandError
 * unless it is an http or https URL.
 */
function parseBaseUrl(text: string): string {
  const { origin, pathname } = parseHttpUrl('--base-url', text, 'https://www.googleapis.com/calendar/v3')
  return `${origin}${pathname.replace(/\/+$/, '').replace(/(\/calendar\/v3)?$/, '/calendar/v3')}`
}

/** Returns a heading without a final dot. Throws a CommandError if no scenario tests it or a heading below it. */
function requireHeading(text: string): string {
  const heading = text.replace(/\.$/, '')
  const known = GROUPS.flatMap(({ scenarios }) => scenarios.flatMap(({ headings }) => headings))
  if (known.some((one) => isUnder(one, heading))) return heading
  throw new CommandError(`--only: no scenario for ${text || 'nothing'} (expected a heading such as 4.3)`)
}
