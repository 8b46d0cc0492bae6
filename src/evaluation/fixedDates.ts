import type { IssuePath } from '../schema/values/issues.ts'
import type { SeedProblem } from '../seeds/problems.ts'

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const DAY = '(?:3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?'
/** A separator in a pattern of RE2 may have a backslash. */
const FIXED_DATE = new RegExp(
  [
    `\\b(?:${DAY}\\.?(?: of)?[ -]${MONTH}\\b|${MONTH}\\b\\.?[ -](?:the )?${DAY}\\b)(?:,?[ -]\\d{4}\\b)?`,
    '\\b\\d{1,2}\\\\?([./])\\d{1,2}\\\\?\\1\\d{4}\\b',
    '\\b\\d{4}/\\d{1,2}/\\d{1,2}\\b',
  ].join('|'),
)

type DatedTexts = {
  prompt: string
  variables?: unknown
  user?: unknown
  tools?: unknown
  goal: { say?: unknown; or?: unknown }
}

/** Lists the dates of prompt, answers and variables that a variation of the task cannot move, because of their form. */
export function findFixedDates({ prompt, goal, variables, user, tools }: DatedTexts): SeedProblem[] {
  const { say, or } = goal
  return listFixedDates({ prompt, variables, user, tools, goal: { say, or } }, [])
}

function listFixedDates(value: unknown, path: IssuePath): SeedProblem[] {
  if (typeof value === 'string') {
    const [date] = FIXED_DATE.exec(value) ?? []
    if (date === undefined) return []
    const problem = `a variation cannot move the date ${JSON.stringify(date)} (expected a form such as 2030-09-10)`
    return [{ path, problem }]
  }
  if (Array.isArray(value)) return value.flatMap((one, at) => listFixedDates(one, [...path, at]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => listFixedDates(part, [...path, name]))
}
