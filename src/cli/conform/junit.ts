import { xml } from './xml.ts'

/** A test case of a JUnit report. Without a problem it passed. */
export type JunitCase = {
  className: string
  name: string
  problem?: { kind: 'failure' | 'skipped' | 'error'; message: string } | undefined
}
export type JunitSuite = { name: string; cases: readonly JunitCase[] }

/** Formats a JUnit report in XML, as CI systems read it. */
export function formatJunit(name: string, suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases)
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${xml(name)}" ${countsOf(all)}>
${suites.map(formatSuite).join('\n')}
</testsuites>
`
}

const formatSuite = ({ name, cases }: JunitSuite): string =>
  [`  <testsuite name="${xml(name)}" ${countsOf(cases)}>`, ...cases.map(formatCase), '  </testsuite>'].join('\n')

function countsOf(cases: readonly JunitCase[]): string {
  const count = (kind: string) => cases.filter(({ problem }) => problem?.kind === kind).length
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

function formatCase({ className, name, problem }: JunitCase): string {
  const open = `    <testcase classname="${xml(className)}" name="${xml(name)}"`
  return problem ? `${open}><${problem.kind} message="${xml(problem.message)}"/></testcase>` : `${open}/>`
}
