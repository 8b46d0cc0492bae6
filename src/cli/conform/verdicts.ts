import type { ScenarioOutcome, Verdict } from './run.ts'

/** The result of a heading, from all scenarios that cite it. */
export type HeadingVerdict = {
  heading: string
  verdict: Verdict
  /** A sentence for each scenario that does not agree. */
  how: string[]
  scenarios: string[]
}

/**
 * Returns the verdict of each heading. One differing scenario makes it differ; else one inconclusive scenario makes it
 * inconclusive.
 */
export function verdictsOf(outcomes: readonly ScenarioOutcome[]): HeadingVerdict[] {
  const headings = [...new Set(outcomes.flatMap(({ headings }) => headings))].sort(byNumber)
  return headings.map((heading) => {
    const those = outcomes.filter(({ headings }) => headings.includes(heading))
    const others = those.filter(({ verdict }) => verdict !== 'agrees')
    const verdict = others.some(({ verdict }) => verdict === 'differs') ? 'differs' : (others[0]?.verdict ?? 'agrees')
    const relevant = others.filter((one) => one.verdict === verdict)
    return {
      heading,
      verdict,
      how: relevant.map(({ scenario, how }) => `${scenario}: ${how}`),
      scenarios: those.map(({ scenario }) => scenario),
    }
  })
}

/** Orders headings by number: `4.10` after `4.9`. */
export function byNumber(one: string, other: string): number {
  const [a, b] = [one, other].map((number) => number.split('.').map(Number))
  const at = a?.findIndex((part, at) => part !== b?.[at]) ?? -1
  if (at < 0) return (a?.length ?? 0) - (b?.length ?? 0)
  return (a?.[at] ?? 0) - (b?.[at] ?? -1)
}

/** Returns true if a heading is the requested one or below it. */
export const isUnder = (heading: string, requested: string): boolean =>
  heading === requested || heading.startsWith(`${requested}.`)
