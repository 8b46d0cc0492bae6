import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { CommandError } from '../commandError.ts'
import { openProgress, type Progress } from '../progress.ts'
import { boundedFetch, toOneLine, withoutTokens } from './boundedFetch.ts'
import { describeResponse, Inconclusive } from './expect.ts'
import { parseConformOptions } from './options.ts'
import { formatReport } from './report.ts'
import { type Fetch, retryingFetch } from './retryingFetch.ts'
import { type Run, run } from './run.ts'
import type { Permission } from './scenario.ts'
import { GROUPS } from './scenarios/index.ts'
import { sendRequest, type Target } from './target.ts'
import type { OpenFake } from './traffic/fake.ts'
import { isUnder } from './verdicts.ts'

const ALL_PERMISSIONS: ReadonlySet<Permission> = new Set(['primary', 'guest'])
const NO_PERMISSIONS: ReadonlySet<Permission> = new Set()

/** `fake-calendar conform`. Whatever is wrong with its line is a CommandError. */
export async function conform(args: readonly string[], openFake: OpenFake): Promise<void> {
  const asked = parseConformOptions(args)
  if (asked.ask === 'help') {
    process.stdout.write(asked.text)
    return
  }
  const progress = openProgress()
  const { form, output } = asked
  try {
    if (asked.ask === 'traffic') {
      const { playRecordings } = await import('./traffic/command.ts')
      const { report, differs } = await playRecordings(asked.files, form, openFake, progress)
      writeReport(report, output)
      process.exitCode = differs ? 1 : 0
      return
    }
    const { baseUrl, tokens, only, yes } = asked
    const stop = new AbortController()
    const target: Target = { fetch: conformFetch(progress), baseUrl, tokens, stop: stop.signal }
    await requireAccounts(target)
    const permissions = yes || isLoopback(baseUrl) || (await askPermission()) ? ALL_PERMISSIONS : NO_PERMISSIONS
    const result = await untilSignal(stop, () =>
      run({
        groups: GROUPS,
        target,
        permissions,
        filter: ({ headings }) =>
          only.length === 0 || headings.some((heading) => only.some((one) => isUnder(heading, one))),
        onProgress: (name, at, of) => progress.say(`${at}/${of} ${name}`),
      }),
    )
    progress.end()
    const report = formatReport(only.length > 0 ? onlyHeadings(result, only) : result, form)
    finish(result, output, withoutTokens(report, Object.values(tokens)))
  } finally {
    progress.end()
  }
}

/** Of the other headings that a scenario has not all was asked, so that nothing is told of them. */
const onlyHeadings = ({ outcomes, ...rest }: Run, only: readonly string[]): Run => ({
  ...rest,
  outcomes: outcomes.map(({ headings, ...outcome }) => ({
    ...outcome,
    headings: headings.filter((heading) => only.some((one) => isUnder(heading, one))),
  })),
})

/** Of what was not finished there is no report: it would be taken for one. */
function finish(result: Run, output: string | undefined, report: string): void {
  const { outcomes, interrupted, left } = result
  if (interrupted) {
    const rest = left.length > 0 ? `left behind: ${left.join(', ')}` : 'what it had made is removed'
    process.stderr.write(`fake-calendar: conform was interrupted; ${rest}\n`)
    process.exitCode = 130
    return
  }
  writeReport(report, output)
  for (const id of left) process.stderr.write(`fake-calendar: the calendar ${id} could not be removed\n`)
  process.exitCode = outcomes.some(({ verdict }) => verdict === 'differs') ? 1 : 0
}

/** The first signal ends the run and lets it tidy up; the second ends the process. */
async function untilSignal<T>(stop: AbortController, work: () => Promise<T>): Promise<T> {
  const end = () => {
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, end)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, end)
  }
}

/** Returns the fetch of a run. A signal ends a pause and never a request, because the run has to remove what it made. */
const conformFetch = (progress: Progress): Fetch =>
  retryingFetch((input, init) => boundedFetch(fetch)(input, { ...init, signal: null }), {
    onWait: ({ ms, because }) => progress.say(`waiting ${Math.ceil(ms / 1000)} s: ${because}`),
  })

/** A server that is not there, or takes no token, is told of in one line and not with each heading. */
async function requireAccounts(target: Target): Promise<void> {
  const oneLine = (text: string) => withoutTokens(toOneLine(text), Object.values(target.tokens))
  const who = target.tokens.guest === undefined ? (['owner'] as const) : (['owner', 'guest'] as const)
  for (const as of who) {
    const answer = await sendRequest(target, 'GET', '/calendars/primary', undefined, { as }).catch((error: unknown) => {
      throw error instanceof Inconclusive
        ? new CommandError(`--base-url: ${target.baseUrl}: ${oneLine(error.message)}`)
        : error
    })
    if (answer.status !== 200)
      throw new CommandError(
        `--token: the ${as === 'owner' ? 'first' : 'second'} is not taken: ${oneLine(describeResponse(answer))}`,
      )
  }
}

const isLoopback = (url: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** Whether the person at the terminal lets the accounts' own calendars be touched. */
async function askPermission(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Else the question would never be answered, and the process end as if all were well.
  terminal.on('SIGINT', () => process.exit(130))
  try {
    const question =
      'Some scenarios write events to the primary calendar and remove them, and invite the second account (no mail).\nRun these too? [y/N] '
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

/** A file is there whole, or as it was. */
function writeReport(report: string, file: string | undefined): void {
  if (file === undefined) {
    process.stdout.write(report)
    return
  }
  const part = `${file}.part`
  try {
    writeFileSync(part, report)
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CommandError(`--output: ${file}: cannot write the report: ${code}`)
  }
}
