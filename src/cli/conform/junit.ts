/** A test case of a JUnit report. Without a problem it passed. All fields are text, not XML. */
export type JunitCase = {
  className: string
  name: string
  problem?: { kind: 'failure' | 'skipped' | 'error'; message: string } | undefined
}
/** A named group of test cases. */
export type JunitSuite = { name: string; cases: readonly JunitCase[] }

/** Formats a JUnit report in XML, as CI systems read it. */
export function formatJunit(name: string, suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases)
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${escapeXml(name)}" ${formatCountAttributes(all)}>
${suites.map(formatSuite).join('\n')}
</testsuites>
`
}

/** Formats a `testsuite` with its cases, in lines. */
const formatSuite = ({ name, cases }: JunitSuite): string =>
  [
    `  <testsuite name="${escapeXml(name)}" ${formatCountAttributes(cases)}>`,
    ...cases.map(formatCase),
    '  </testsuite>',
  ].join('\n')

/** Formats the numbers of cases as attributes: `tests="3" failures="1" errors="0" skipped="0"`. */
function formatCountAttributes(cases: readonly JunitCase[]): string {
  const count = (kind: string) => cases.filter(({ problem }) => problem?.kind === kind).length
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

/** Formats a `testcase`, with its problem if there is one, in a line. */
function formatCase({ className, name, problem }: JunitCase): string {
  const open = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`
  return problem ? `${open}><${problem.kind} message="${escapeXml(problem.message)}"/></testcase>` : `${open}/>`
}

const XML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Escapes a text for an XML attribute. Characters that XML does not allow are removed. */
const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (sign) => XML_ESCAPES[sign] ?? sign)
    .replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
