import type { ReportFormat } from '../report.ts'
import { xml } from '../xml.ts'
import type { ReplayOutcome } from './replay.ts'

/** What came of one recording. */
export type RecordingResult = {
  file: string
  /** Why it could not be played at all. */
  refused?: string
  outcomes: ReplayOutcome[]
  leftOut: string[]
  notSeeded: string[]
}

const counts = (outcomes: readonly ReplayOutcome[]) => ({
  agrees: outcomes.filter(({ verdict }) => verdict === 'agrees').length,
  differs: outcomes.filter(({ verdict }) => verdict === 'differs').length,
})

export function formatRecordings(played: readonly RecordingResult[], form: ReportFormat): string {
  const all = played.flatMap(({ outcomes }) => outcomes)
  if (form === 'json') {
    const recordings = played.map(({ file, refused, outcomes, leftOut, notSeeded }) => ({
      file,
      ...(refused !== undefined && { refused }),
      requests: outcomes,
      leftOut,
      notSeeded,
    }))
    return `${JSON.stringify({ summary: counts(all), recordings }, null, 2)}\n`
  }
  return form === 'junit' ? asJunit(played, all) : played.map(asText).join('\n')
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

function asJunit(played: readonly RecordingResult[], all: readonly ReplayOutcome[]): string {
  const countsOf = (some: readonly ReplayOutcome[]) => `tests="${some.length}" failures="${counts(some).differs}"`
  const suites = played.map(({ file, refused, outcomes }) =>
    refused !== undefined
      ? `  <testsuite name="${xml(file)}" tests="1" errors="1"><testcase classname="${xml(file)}" name="play"><error message="${xml(refused)}"/></testcase></testsuite>`
      : [
          `  <testsuite name="${xml(file)}" ${countsOf(outcomes)}>`,
          ...outcomes.map(({ request, how }, at) => {
            const open = `    <testcase classname="${xml(file)}" name="${at + 1} ${xml(request)}"`
            return how.length === 0 ? `${open}/>` : `${open}><failure message="${xml(how.join('; '))}"/></testcase>`
          }),
          '  </testsuite>',
        ].join('\n'),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="fake-calendar conform --har" ${countsOf(all)}>\n${suites.join('\n')}\n</testsuites>\n`
}
