import type { Outcome, Verdict } from './run.ts'

/** What came of a heading of the book: of all scenarios that are tagged with it. */
export type HeadingVerdict = {
  heading: string
  verdict: Verdict
  /** A sentence for each scenario that does not agree. */
  how: string[]
  scenarios: string[]
}

/** One that differs makes its heading differ; else one that could not tell leaves it untold. */
export function verdictsOf(outcomes: readonly Outcome[]): HeadingVerdict[] {
  const headings = [...new Set(outcomes.flatMap(({ headings }) => headings))].sort(byNumber)
  return headings.map((heading) => {
    const those = outcomes.filter(({ headings }) => headings.includes(heading))
    const others = those.filter(({ verdict }) => verdict !== 'agrees')
    const verdict = others.some(({ verdict }) => verdict === 'differs') ? 'differs' : (others[0]?.verdict ?? 'agrees')
    const told = others.filter((one) => one.verdict === verdict)
    return {
      heading,
      verdict,
      how: told.map(({ scenario, how }) => `${scenario}: ${how}`),
      scenarios: those.map(({ scenario }) => scenario),
    }
  })
}

/** `4.10` comes behind `4.9`. */
export function byNumber(one: string, other: string): number {
  const [a, b] = [one, other].map((number) => number.split('.').map(Number))
  const at = a?.findIndex((part, at) => part !== b?.[at]) ?? -1
  if (at < 0) return (a?.length ?? 0) - (b?.length ?? 0)
  return (a?.[at] ?? 0) - (b?.[at] ?? -1)
}

/** Whether a heading is one that is asked for, or stands below it. */
export const isUnder = (heading: string, asked: string): boolean => heading === asked || heading.startsWith(`${asked}.`)
