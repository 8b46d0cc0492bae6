import { formatJunit, type JunitCase } from './junit.ts'
import type { Run, ScenarioOutcome } from './run.ts'
import { verdictsOf } from './verdicts.ts'

/** The formats of a report. */
export type ReportFormat = 'text' | 'json' | 'junit'

export const formatReport = (run: Run, form: ReportFormat): string => FORMATTERS[form](run)

const FORMATTERS: Record<ReportFormat, (run: Run) => string> = { text: asText, json: asJson, junit: asJunit }

const count = (all: readonly { verdict: string }[], verdict: string): number =>
  all.filter((one) => one.verdict === verdict).length

/** Formats a line for each heading, and one for each of its scenarios that does not agree. */
function asText(run: Run): string {
  const headings = verdictsOf(run.outcomes)
  const lines = headings.flatMap(({ heading, verdict, how }) => [
    `${heading.padEnd(8)} ${verdict}`,
    ...how.map((line) => `           ${line}`),
  ])
  const counted = (all: readonly { verdict: string }[]) =>
    `${count(all, 'agrees')} agree, ${count(all, 'differs')} differ, ${count(all, 'inconclusive')} inconclusive`
  return `${[
    ...lines,
    '',
    run.server,
    `${headings.length} headings: ${counted(headings)}`,
    `${run.outcomes.length} scenarios: ${counted(run.outcomes)}`,
    ...run.left.map((id) => `left behind: the calendar ${id}`),
  ].join('\n')}\n`
}

function asJson(run: Run): string {
  const headings = verdictsOf(run.outcomes)
  const summary = {
    agrees: count(headings, 'agrees'),
    differs: count(headings, 'differs'),
    inconclusive: count(headings, 'inconclusive'),
  }
  const { server, date, interrupted, left, outcomes: scenarios } = run
  return `${JSON.stringify({ server, date, interrupted, summary, headings, scenarios, left }, null, 2)}\n`
}

function asJunit({ server, outcomes }: Run): string {
  const groups = [...new Set(outcomes.map(({ group }) => group))]
  const suites = groups.map((name) => ({
    name,
    cases: outcomes.filter(({ group }) => group === name).map(toJunitCase),
  }))
  return formatJunit(`fake-calendar conform ${server}`, suites)
}

const toJunitCase = ({ scenario, headings, verdict, how = '' }: ScenarioOutcome): JunitCase => ({
  className: `behaviour ${headings.join(', ')}`,
  name: scenario,
  problem: verdict === 'agrees' ? undefined : { kind: verdict === 'differs' ? 'failure' : 'skipped', message: how },
})
