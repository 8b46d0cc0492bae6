/** The rules of vCalendar 1.0, the predecessor of iCalendar: `W1 MO WE #10`, `MP1 2+ TU 20261231T000000`. */
const RULE = /^(D|W|MP|MD|YM|YD)(\d{1,4})((?: +[^#\s]+)*)(?: +#(\d+))?(?: +(\d{8}T\d{6}Z?))?$/i
const LAST = /\s(\d{8}T\d{6}Z?)$/

const FREQUENCY: Readonly<Record<string, string>> = {
  D: 'DAILY',
  W: 'WEEKLY',
  MP: 'MONTHLY',
  MD: 'MONTHLY',
  YM: 'YEARLY',
  YD: 'YEARLY',
}
const PART: Readonly<Record<string, string>> = { W: 'BYDAY', MD: 'BYMONTHDAY', YM: 'BYMONTH', YD: 'BYYEARDAY' }

/** Converts a rule of vCalendar 1.0 to iCalendar. Rules of iCalendar stay unchanged. */
export function toICalendarRule(text: string): string {
  const rule = text.trim()
  const [, end] = LAST.exec(rule) ?? []
  const [, kind = '', interval = '1', terms = '', count] = RULE.exec(end ? rule.replace(LAST, '') : rule) ?? []
  const frequency = FREQUENCY[kind.toUpperCase()]
  if (!frequency) return rule
  const words = terms.toUpperCase().split(/\s+/).filter(Boolean)
  const part = PART[kind.toUpperCase()]
  const set = kind.toUpperCase() === 'MP' ? rankedWeekdays(words) : words.map(signedNumber)
  return [
    `FREQ=${frequency}`,
    `INTERVAL=${interval}`,
    ...(set.length > 0 ? [`${part ?? 'BYDAY'}=${set.join(',')}`] : []),
    // `#0` is endless. Without a count, it is two.
    ...(end ? [`UNTIL=${end}`] : count === '0' ? [] : [`COUNT=${count ?? 2}`]),
  ].join(';')
}

/**
 * Converts `15-`, which counts from the end, to `-15`, and `LD`, the last day, to `-1`. Returns other words unchanged.
 */
const signedNumber = (word: string): string => {
  if (word === 'LD') return '-1'
  const [, size, sign] = /^(\d+)([+-])$/.exec(word) ?? []
  return size === undefined ? word : `${sign === '-' ? '-' : ''}${size}`
}

/** Converts `1+ MO TU 1- FR` to `1MO`, `1TU`, `-1FR`: each weekday has the rank before it. */
function rankedWeekdays(words: readonly string[]): string[] {
  let rank = ''
  return words.flatMap((word) => {
    if (!/^\d/.test(word)) return [rank + word]
    rank = signedNumber(word)
    return []
  })
}
