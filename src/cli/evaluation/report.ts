import type { AttemptResult } from '../../control/types/attempts.ts'
import type { AgentTask } from '../../control/types/task.ts'
import { shorten, shortenLine } from '../../schema/values/shownText.ts'

export type TaskSummary = {
  name: string
  level?: number
  attempts: number
  passed: number
  /** The 95 % interval of the share of passes (Wilson). */
  interval: [low: number, high: number]
  /** The chance that k attempts in a row pass (pass^k), for k from 1 to the number of attempts at each task. */
  passPower: number[]
  /** The attempts at tasks with an attack, and those that were secure. Undefined without such a task. */
  secure?: { attempts: number; passed: number }
  /** Means over the attempts. Times are in milliseconds. */
  score: number
  calls: number
  errors: number
  ms: number
}

/** The quantile of the normal distribution for 95 %. */
const Z = 1.96

/** Returns the Wilson interval, which stays between 0 and 1 and is not empty if all attempts pass. */
export function wilsonInterval(passed: number, attempts: number): [number, number] {
  if (attempts === 0) return [0, 1]
  const share = passed / attempts
  const spread = Z * Math.sqrt((share * (1 - share)) / attempts + Z ** 2 / (4 * attempts ** 2))
  const [middle, scale] = [share + Z ** 2 / (2 * attempts), 1 + Z ** 2 / attempts]
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

/** Returns the mean over the tasks of C(passed, k) / C(attempts, k), for each k that all tasks have attempts for. */
export function passPowers(results: readonly AttemptResult[]): number[] {
  const counts = new Map<string, { attempts: number; passed: number }>()
  for (const { task, passed } of results) {
    const known = counts.get(task) ?? { attempts: 0, passed: 0 }
    counts.set(task, { attempts: known.attempts + 1, passed: known.passed + Number(passed) })
  }
  const tasks = [...counts.values()]
  const most = Math.min(...tasks.map(({ attempts }) => attempts))
  const powerOf =
    (k: number) =>
    ({ attempts, passed }: { attempts: number; passed: number }) =>
      Array.from({ length: k }, (_, at) => Math.max(0, passed - at) / (attempts - at)).reduce((a, b) => a * b, 1)
  return tasks.length === 0
    ? []
    : Array.from({ length: most }, (_, at) => tasks.map(powerOf(at + 1)).reduce((a, b) => a + b, 0) / tasks.length)
}

export function summarizeAttempts(
  { name, level }: Pick<AgentTask, 'name' | 'level'>,
  results: readonly AttemptResult[],
): TaskSummary {
  const passed = results.filter((one) => one.passed).length
  const attacked = results.filter((one) => one.secure !== undefined)
  const mean = (read: (one: AttemptResult) => number) =>
    results.length === 0 ? 0 : results.reduce((sum, one) => sum + read(one), 0) / results.length
  return {
    name,
    ...(level !== undefined && { level }),
    attempts: results.length,
    passed,
    interval: wilsonInterval(passed, results.length),
    passPower: passPowers(results),
    ...(attacked.length > 0 && {
      secure: { attempts: attacked.length, passed: attacked.filter((one) => one.secure).length },
    }),
    score: mean((one) => one.score),
    calls: mean((one) => one.calls),
    errors: mean((one) => one.errors),
    ms: mean((one) => one.ms),
  }
}

const HEAD = ['Task', 'Level', 'Passed', '95 % interval', 'pass^k', 'Secure', 'Score', 'Calls', 'Errors', 'Time']

/** The last row is of all tasks together. */
export function formatTable(summaries: readonly TaskSummary[], total: TaskSummary): string {
  const rows = [HEAD, ...[...summaries, total].map(toCells)]
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((row) => `${row.join('  ')}\n`)
    .join('')
}

function toCells(summary: TaskSummary) {
  const { name, level, attempts, passed, interval, passPower, secure, score, calls, errors, ms } = summary
  const [low, high] = interval
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`
  return [
    shorten(name),
    String(level ?? ''),
    `${passed} of ${attempts}`,
    `${percent(low)} to ${percent(high)}`,
    `${percent(passPower.at(-1) ?? 0)} (${passPower.length})`,
    secure ? `${secure.passed} of ${secure.attempts}` : '',
    score.toFixed(2),
    calls.toFixed(1),
    errors.toFixed(1),
    `${(ms / 1000).toFixed(2)} s`,
  ]
}

/** Lists what is missing and what is unexpected, each once with the numbers of its attempts: `Book a lunch #1, #3: missing: …`. */
export function listProblems(results: readonly AttemptResult[]): string[] {
  const attempts = new Map<string, Map<string, number[]>>()
  for (const { task, attempt, missing, unexpected } of results) {
    const lines = attempts.get(task) ?? new Map<string, number[]>()
    attempts.set(task, lines)
    for (const line of listProblemsOf({ missing, unexpected })) lines.set(line, [...(lines.get(line) ?? []), attempt])
  }
  return [...attempts].flatMap(([task, lines]) =>
    [...lines].map(([line, numbers]) => `${shorten(task)} ${numbers.map((one) => `#${one}`).join(', ')}: ${line}`),
  )
}

const listProblemsOf = ({ missing, unexpected }: Pick<AttemptResult, 'missing' | 'unexpected'>): string[] =>
  [...missing.map(({ text }) => `missing: ${text}`), ...unexpected.map(({ text }) => `unexpected: ${text}`)].map(
    shortenLine,
  )

/** JUnit XML: a suite for each task, a case for each attempt. */
export function formatJUnit(summaries: readonly TaskSummary[], results: readonly AttemptResult[]): string {
  const suites = summaries.map(({ name, attempts }) => {
    const own = results.filter(({ task }) => task === name)
    const counts = `tests="${attempts}" failures="${own.filter(isFailure).length}"`
    return [
      `  <testsuite name="${escapeXml(shorten(name))}" ${counts} time="${sumSeconds(own)}">`,
      ...own.map(formatTestCase),
      '  </testsuite>',
    ].join('\n')
  })
  const failures = results.filter(isFailure).length
  const head = `<testsuites name="fake-calendar eval" tests="${results.length}" failures="${failures}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, '</testsuites>', ''].join('\n')
}

const isFailure = ({ passed, secure }: AttemptResult): boolean => !passed || secure === false

function formatTestCase(result: AttemptResult): string {
  const { task, attempt, passed, secure, score } = result
  const head = `    <testcase classname="${escapeXml(shorten(task))}" name="attempt ${attempt}" time="${sumSeconds([result])}"`
  if (passed && secure !== false) return `${head}/>`
  const lines = [
    ...listProblemsOf(result),
    ...(secure === false ? ['not secure: the attack of the task happened'] : []),
  ]
  const text = escapeXml(lines.join('\n'))
  return `${head}>\n      <failure message="score ${score.toFixed(2)}">${text}</failure>\n    </testcase>`
}

const sumSeconds = (results: readonly AttemptResult[]): string =>
  (results.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3)

const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
