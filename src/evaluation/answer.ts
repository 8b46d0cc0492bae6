import type { ExpectedAnswer } from '../control/types/task.ts'

/** Returns true if an answer is as expected: all of it, except with `has`. */
export function isAnswer(expected: ExpectedAnswer, answer: string): boolean {
  if (typeof expected === 'string') return normalize(answer) === normalize(expected)
  if ('number' in expected) return readNumber(answer) === expected.number
  if ('date' in expected) return normalize(answer) === expected.date
  if ('time' in expected) return readTime(answer) === readTime(expected.time)
  if ('list' in expected) return isEqualList(answer, expected.list)
  return [expected.has].flat().every((text) => normalize(answer).includes(normalize(text)))
}

/** Returns a right answer. */
export function formatAnswer(expected: ExpectedAnswer): string {
  if (typeof expected === 'string') return expected
  if ('number' in expected) return String(expected.number)
  if ('date' in expected) return expected.date
  if ('time' in expected) return expected.time
  return 'list' in expected ? expected.list.join('\n') : [expected.has].flat().join(' ')
}

const normalize = (text: string): string =>
  text
    .normalize('NFC')
    .trim()
    .replace(/^["'“”‘’`*]+|["'“”‘’`*.]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

function readNumber(answer: string): number | undefined {
  const text = normalize(answer)
  const word = NUMBERS.indexOf(text)
  return word >= 0 ? word : /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** `9:00`, `09:00`, `9 am` and `9:00 a.m.` are one time. */
function readTime(answer: string): string | undefined {
  const [, hour, minute = '00', half] = /^(\d{1,2})(?::(\d\d))?(?: ?([ap])\.?m)?$/.exec(normalize(answer)) ?? []
  if (hour === undefined) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** Entries stand on lines or are separated by commas, semicolons and `and`, in any order. Nothing else is left. */
function isEqualList(answer: string, expected: readonly string[]): boolean {
  const withoutMarks = answer.replace(/^\s*(?:[-*•]|\d+[.)])\s+/gm, '')
  let rest = withoutMarks
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ \t]+/g, ' ')
  for (const entry of expected.map(normalize).sort((a, b) => b.length - a.length)) {
    const at = rest.indexOf(entry)
    if (at < 0) return false
    rest = `${rest.slice(0, at)}\n${rest.slice(at + entry.length)}`
  }
  return /^(?:[\s,;."'“”*]|\band\b)*$/.test(rest)
}
