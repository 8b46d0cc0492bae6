/** A rule without its end (`RRULE:FREQ=DAILY`), and the values of COUNT and UNTIL as they are written. */
export type SplitRule = { rest: string; count?: string; until?: string }

const RULE = /^\s*((?:RRULE|EXRULE):)?(.*)$/is
const END = /^(COUNT|UNTIL)=(.*)$/i

/**
 * Splits a rule, with or without its property name, into its end and the rest, which keeps its spelling and order.
 * Checks nothing. Of repeated parts the last one counts.
 */
export function splitRuleEnd(rule: string): SplitRule {
  const [, property = '', value = ''] = RULE.exec(rule) ?? []
  const split: SplitRule = { rest: '' }
  const rest = value.split(';').filter((part) => {
    const [, name = '', end = ''] = END.exec(part.trim()) ?? []
    if (name !== '') split[name.toLowerCase() as 'count' | 'until'] = end
    return part !== '' && name === ''
  })
  split.rest = property + rest.join(';')
  return split
}

/** Returns a rule with another end in place of its own. `until` is in the form of UNTIL, such as `20260309T130000Z`. */
export const withRuleEnd = (rule: string, end: { count: number } | { until: string }): string =>
  `${splitRuleEnd(rule).rest};${'count' in end ? `COUNT=${end.count}` : `UNTIL=${end.until}`}`
