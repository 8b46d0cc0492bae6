import type { ScenarioOutcome, Verdict } from './run.ts'

/** The result of a heading of docs/behaviour, from all scenarios that cite it. */
export type HeadingVerdict = {
  /** The number of the heading, such as `4.1.2`. */
  heading: string
  verdict: Verdict
  /** The name and result of each scenario that led to the verdict; empty if all agree. */
  how: string[]
  /** The names of all scenarios that cite the heading. */
  scenarios: string[]
}

/**
 * Returns the verdict of each cited heading, in the order of numbers. One differing scenario makes it differ; else one
 * inconclusive scenario makes it inconclusive.
 */
export function summarizeHeadings(outcomes: readonly ScenarioOutcome[]): HeadingVerdict[] {
  const headings = [...new Set(outcomes.flatMap(({ headings }) => headings))].sort(compareHeadings)
  return headings.map((heading) => {
    const citing = outcomes.filter(({ headings }) => headings.includes(heading))
    const others = citing.filter(({ verdict }) => verdict !== 'agrees')
    const verdict = others.some(({ verdict }) => verdict === 'differs') ? 'differs' : (others[0]?.verdict ?? 'agrees')
    const relevant = others.filter((one) => one.verdict === verdict)
    return {
      heading,
      verdict,
      how: relevant.map(({ scenario, how }) => `${scenario}: ${how}`),
      scenarios: citing.map(({ scenario }) => scenario),
    }
  })
}

/** Compares headings for `sort` by number: `4.10` after `4.9`, and `4.1` before `4.1.1`. */
export function compareHeadings(one: string, other: string): number {
  const [a, b] = [one, other].map((number) => number.split('.').map(Number))
  const at = a?.findIndex((part, at) => part !== b?.[at]) ?? -1
  if (at < 0) return (a?.length ?? 0) - (b?.length ?? 0)
  return (a?.[at] ?? 0) - (b?.[at] ?? -1)
}

/** Returns true if a heading is the requested one or below it. */
export const isUnder = (heading: string, requested: string): boolean =>
  heading === requested || heading.startsWith(`${requested}.`)
