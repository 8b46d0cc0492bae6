import type { Outcome, Run } from './run.ts'
import { verdictsOf } from './verdicts.ts'
import { xml } from './xml.ts'

/** What is told of a run, in one of its forms. */
export type ReportFormat = 'text' | 'json' | 'junit'

export const formatReport = (run: Run, form: ReportFormat): string => FORMATTERS[form](run)

const FORMATTERS: Record<ReportFormat, (run: Run) => string> = { text: asText, json: asJson, junit: asJunit }

const count = (all: readonly { verdict: string }[], wanted: string): number =>
  all.filter(({ verdict }) => verdict === wanted).length

/** A line for each heading, and one for each scenario of it that does not agree. */
function asText(run: Run): string {
  const headings = verdictsOf(run.outcomes)
  const lines = headings.flatMap(({ heading, verdict, how }) => [
    `${heading.padEnd(8)} ${verdict}`,
    ...how.map((line) => `           ${line}`),
  ])
  const counted = (all: readonly { verdict: string }[]) =>
    `${count(all, 'agrees')} agree, ${count(all, 'differs')} differ, ${count(all, 'could not tell')} could not be told`
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
    couldNotTell: count(headings, 'could not tell'),
  }
  const { server, date, interrupted, left, outcomes: scenarios } = run
  return `${JSON.stringify({ server, date, interrupted, summary, headings, scenarios, left }, null, 2)}\n`
}

function asJunit({ server, outcomes }: Run): string {
  const groups = [...new Set(outcomes.map(({ group }) => group))]
  const suites = groups.map((group) => {
    const cases = outcomes.filter((outcome) => outcome.group === group)
    return [`  <testsuite name="${xml(group)}" ${countsOf(cases)}>`, ...cases.map(caseOf), '  </testsuite>'].join('\n')
  })
  const name = xml(`fake-calendar conform ${server}`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}" ${countsOf(outcomes)}>\n${suites.join('\n')}\n</testsuites>\n`
}

const countsOf = (cases: readonly Outcome[]): string =>
  `tests="${cases.length}" failures="${count(cases, 'differs')}" skipped="${count(cases, 'could not tell')}"`

function caseOf({ scenario, headings, verdict, how = '' }: Outcome): string {
  const open = `    <testcase classname="behaviour ${headings.join(', ')}" name="${xml(scenario)}"`
  if (verdict === 'agrees') return `${open}/>`
  const said = verdict === 'differs' ? `<failure message="${xml(how)}"/>` : `<skipped message="${xml(how)}"/>`
  return `${open}>${said}</testcase>`
}
