/** `rest` is the rule without its end (`RRULE:FREQ=DAILY`), the others are values as they are written. */
export type SplitRule = { rest: string; count?: string; until?: string }

const RULE = /^\s*((?:RRULE|EXRULE):)?(.*)$/is
const END = /^(COUNT|UNTIL)=(.*)$/i

/** The rest keeps its spelling and order. Checks nothing. Of repeated parts the last one counts. */
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

/** `until` is in the form of UNTIL, such as `20260309T130000Z`. */
export const withRuleEnd = (rule: string, end: { count: number } | { until: string }): string =>
  `${splitRuleEnd(rule).rest};${'count' in end ? `COUNT=${end.count}` : `UNTIL=${end.until}`}`
