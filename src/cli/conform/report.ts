import { formatJunit, type JunitCase } from './junit.ts'
import type { Run, ScenarioOutcome } from './run.ts'
import { summarizeHeadings } from './verdicts.ts'

/** The formats of a report. */
export type ReportFormat = 'text' | 'json' | 'junit'

/** Formats the report of a run; it ends with a line feed. */
export const formatReport = (run: Run, form: ReportFormat): string => FORMATTERS[form](run)

const FORMATTERS: Record<ReportFormat, (run: Run) => string> = {
  text: formatTextReport,
  json: formatJsonReport,
  junit: formatJunitReport,
}

/** Returns the number of entries with a verdict. */
const countVerdicts = (all: readonly { verdict: string }[], verdict: string): number =>
  all.filter((one) => one.verdict === verdict).length

/** Formats a line for each heading, one for each of its scenarios that does not agree, and a summary. */
function formatTextReport(run: Run): string {
  const headings = summarizeHeadings(run.outcomes)
  const lines = headings.flatMap(({ heading, verdict, how }) => [
    `${heading.padEnd(8)} ${verdict}`,
    ...how.map((line) => `           ${line}`),
  ])
  /** Formats the number of entries with each verdict. */
  const formatVerdictCounts = (all: readonly { verdict: string }[]) =>
    `${countVerdicts(all, 'agrees')} agree, ${countVerdicts(all, 'differs')} differ, ${countVerdicts(all, 'inconclusive')} inconclusive`
  return `${[
    ...lines,
    '',
    run.server,
    `${headings.length} headings: ${formatVerdictCounts(headings)}`,
    `${run.outcomes.length} scenarios: ${formatVerdictCounts(run.outcomes)}`,
    ...run.left.map((id) => `left behind: the calendar ${id}`),
  ].join('\n')}\n`
}

/** Formats the run with a summary and the verdicts of headings, as JSON. */
function formatJsonReport(run: Run): string {
  const headings = summarizeHeadings(run.outcomes)
  const summary = {
    agrees: countVerdicts(headings, 'agrees'),
    differs: countVerdicts(headings, 'differs'),
    inconclusive: countVerdicts(headings, 'inconclusive'),
  }
  const { server, date, interrupted, left, outcomes: scenarios } = run
  return `${JSON.stringify({ server, date, interrupted, summary, headings, scenarios, left }, null, 2)}\n`
}

/** Formats the run as JUnit XML: a suite for each group, a case for each scenario. */
function formatJunitReport({ server, outcomes }: Run): string {
  const groups = [...new Set(outcomes.map(({ group }) => group))]
  const suites = groups.map((name) => ({
    name,
    cases: outcomes.filter(({ group }) => group === name).map(toJunitCase),
  }))
  return formatJunit(`fake-calendar conform ${server}`, suites)
}

/** Returns the test case of a scenario: a difference is a failure, an inconclusive one is skipped. */
const toJunitCase = ({ scenario, headings, verdict, how = '' }: ScenarioOutcome): JunitCase => ({
  className: `behaviour ${headings.join(', ')}`,
  name: scenario,
  problem: verdict === 'agrees' ? undefined : { kind: verdict === 'differs' ? 'failure' : 'skipped', message: how },
})
