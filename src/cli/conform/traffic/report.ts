import { formatJunit, type JunitCase } from '../junit.ts'
import type { ReportFormat } from '../report.ts'
import type { ReplayOutcome } from './replay.ts'

/** The result of one recording. */
export type RecordingResult = {
  file: string
  /** The reason why it could not be replayed; the lists are empty then. */
  refused?: string
  /** One for each replayed request, in order. */
  outcomes: ReplayOutcome[]
  /** A line for each request that was not replayed, with the reason. */
  leftOut: string[]
  /** A line for each record of the initial state that the seed loader rejected, with the reason. */
  notSeeded: string[]
}

/** Counts the requests of each verdict. */
const countVerdicts = (outcomes: readonly ReplayOutcome[]) => ({
  agrees: outcomes.filter(({ verdict }) => verdict === 'agrees').length,
  differs: outcomes.filter(({ verdict }) => verdict === 'differs').length,
})

/** Formats a report on recordings as text, JSON or JUnit XML, with a final line feed. */
export function formatRecordings(results: readonly RecordingResult[], format: ReportFormat): string {
  const all = results.flatMap(({ outcomes }) => outcomes)
  if (format === 'json') {
    const recordings = results.map(({ file, refused, outcomes, leftOut, notSeeded }) => ({
      file,
      ...(refused !== undefined && { refused }),
      requests: outcomes,
      leftOut,
      notSeeded,
    }))
    return `${JSON.stringify({ summary: countVerdicts(all), recordings }, null, 2)}\n`
  }
  return format === 'junit' ? asJunit(results) : results.map(asText).join('\n')
}

/** Formats a line for each request and each of its differences, then a summary and the lines of what was left out. */
function asText({ file, refused, outcomes, leftOut, notSeeded }: RecordingResult): string {
  if (refused !== undefined) return `refused: ${refused}\n`
  const { agrees, differs } = countVerdicts(outcomes)
  const lines = outcomes.flatMap(({ request, verdict, how }, at) => [
    `${String(at + 1).padStart(4)} ${verdict}  ${request}`,
    ...how.map((line) => `       ${line}`),
  ])
  return `${[
    ...lines,
    '',
    `${file}: ${outcomes.length} requests: ${agrees} agree, ${differs} differ`,
    ...leftOut.map((line) => `left out: ${line}`),
    ...notSeeded.map((line) => `not seeded: ${line}`),
  ].join('\n')}\n`
}

/** Formats a JUnit report: a suite for each recording. */
const asJunit = (results: readonly RecordingResult[]): string =>
  formatJunit(
    'fake-calendar conform --har',
    results.map((result) => ({ name: result.file, cases: toJunitCases(result) })),
  )

/** Returns a test case for each request; one with an error for a recording that could not be replayed. */
function toJunitCases({ file, refused, outcomes }: RecordingResult): JunitCase[] {
  if (refused !== undefined) return [{ className: file, name: 'play', problem: { kind: 'error', message: refused } }]
  return outcomes.map(({ request, how }, at) => ({
    className: file,
    name: `${at + 1} ${request}`,
    problem: how.length === 0 ? undefined : { kind: 'failure', message: how.join('; ') },
  }))
}
