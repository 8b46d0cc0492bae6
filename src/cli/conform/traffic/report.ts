import { formatJunit, type JunitCase } from '../junit.ts'
import type { ReportFormat } from '../report.ts'
import type { ReplayOutcome } from './replay.ts'

/** The result of one recording. */
export type RecordingResult = {
  file: string
  /** The reason why it could not be replayed. */
  refused?: string
  outcomes: ReplayOutcome[]
  leftOut: string[]
  notSeeded: string[]
}

const counts = (outcomes: readonly ReplayOutcome[]) => ({
  agrees: outcomes.filter(({ verdict }) => verdict === 'agrees').length,
  differs: outcomes.filter(({ verdict }) => verdict === 'differs').length,
})

export function formatRecordings(results: readonly RecordingResult[], form: ReportFormat): string {
  const all = results.flatMap(({ outcomes }) => outcomes)
  if (form === 'json') {
    const recordings = results.map(({ file, refused, outcomes, leftOut, notSeeded }) => ({
      file,
      ...(refused !== undefined && { refused }),
      requests: outcomes,
      leftOut,
      notSeeded,
    }))
    return `${JSON.stringify({ summary: counts(all), recordings }, null, 2)}\n`
  }
  return form === 'junit' ? asJunit(results) : results.map(asText).join('\n')
}

function asText({ file, refused, outcomes, leftOut, notSeeded }: RecordingResult): string {
  if (refused !== undefined) return `refused: ${refused}\n`
  const { agrees, differs } = counts(outcomes)
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

const asJunit = (results: readonly RecordingResult[]): string =>
  formatJunit(
    'fake-calendar conform --har',
    results.map((result) => ({ name: result.file, cases: toJunitCases(result) })),
  )

function toJunitCases({ file, refused, outcomes }: RecordingResult): JunitCase[] {
  if (refused !== undefined) return [{ className: file, name: 'play', problem: { kind: 'error', message: refused } }]
  return outcomes.map(({ request, how }, at) => ({
    className: file,
    name: `${at + 1} ${request}`,
    problem: how.length === 0 ? undefined : { kind: 'failure', message: how.join('; ') },
  }))
}
