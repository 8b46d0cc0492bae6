import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ComparisonBudget } from '../../../src/control/matching/comparisonBudget.ts'
import { matches } from '../../../src/control/matching/criteria.ts'
import { compilePattern } from '../../../src/control/matching/linearPattern.ts'

const compile = (pattern: RegExp | string) => compilePattern(pattern, () => {})

const TEXTS = [
  ...['', 'a', 'A', 'aaaa', 'ab', 'a-b', 'x]y', '[', '{2}', 'a{2}', 'aa', '/a/b', '\\', '^', '$', 'u{61}', 'p{L}'],
  ...['Lunch with Bob', 'lunch', 'line 1\nline 2', '\n', '\u2028', '\u00a0', '\ufeff', '\v', '\b', '\u0001', '\0'],
  ...['ä', 'Ä', 'é', 'ß', '漢字', '😀', '7', '0042', '_', 'id_7', '2026-03-09T12:00:00Z', 'a.b@example.com', '-', 'k', 'c'],
] // biome-ignore format: a table

test.each([
  ...[/^a+$/, /a{2}/, /a{02,3}?b?/, /a{,2}/, /[a-c]b/, /[\w-]+b/, /[^\s]/, /\S\s\S/, /./, /./s, /^.$/],
  ...[/^line/m, /1$/, /1$/m, /lunch/i, /lunch/gi, /lunch/d, /(?<day>\d\d)T/, /(?:a|b)+?b/, /\bBob\b/, /\Bo/, /[\b]/],
  ...['[^]', '[]', '\\p{L}', '\\u{61}'].map((source) => new RegExp(source)),
  ...[/\//, /\u0061/, /\x61/, /\u{61}/u, /\cA/, /\0/, /^\p{L}+$/u, /\P{L}/u, /^\p{Lu}$/iu, /\p{Emoji_Presentation}/u],
  ...[/^[^\p{L}\d]$/u, /\ud83d\ude00/u, /\ud83d\ude00/, /[\ud83d\ude00]/u, /^[\u{1F600}-\u{1F64F}]$/u, /^\p{Script=Han}+$/u, /q-_/, /]/, /\]/, /[[]/, /[\]]/, /{/, /}/],
  ...[/(|a)b/, /(?:)/, /^$/, /a*?$/, /[\d-x]/, /[a-]/, /[-a]/, /[+--]/, /\D/, /\W/, /^[\W_]$/, /[\S\s]/, /\k/, /\v/, /\u00a0/, /ß/i, /ä/i, /^\w+@\w+\.com$/],
])('%s matches the same texts as in JavaScript', (pattern) => {
  const { test: run } = compile(pattern)
  // A pattern reads code points. Without the flag `u`, JavaScript reads units of UTF-16.
  const texts = TEXTS.filter((text) => pattern.unicode || !/[\u{10000}-\u{10ffff}]/u.test(text))

  expect(texts.filter((text) => run(text))).toEqual(texts.filter((text) => new RegExp(pattern).test(text)))
}) // biome-ignore format: a table

/** Patterns of a few characters, in all nestings. */
const { pattern: patterns } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom('a', 'b', '.', '\\w', '\\W', '\\s', '\\d', '[^a]', '[a-b\\s]', '[^\\S\\d]', '\\b', '\\x62', '\\.'),
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  ),
  pattern: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    fc
      .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,}', '*?'))
      .map(([atom, repeat]) => (atom === '\\b' ? atom : `${atom}${repeat}`)),
    fc.array(tie('pattern'), { maxLength: 3 }).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}|${other}`),
    tie('pattern').map((inner) => `^${inner}`),
    tie('pattern').map((inner) => `${inner}$`),
  ),
}))
const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1', '.', '\n'), maxLength: 6 })

test('any pattern of letters, classes, groups and repeats matches the same texts as in JavaScript', () => {
  fc.assert(
    fc.property(
      patterns,
      fc.array(texts, { maxLength: 5 }),
      fc.constantFrom('', 'i', 's', 'u'),
      (source, all, flags) => {
        const pattern = new RegExp(source, flags)
        for (const text of all) expect(compile(pattern).test(text)).toBe(pattern.test(text))
      },
    ),
    { numRuns: 300 },
  )
})

test.each<[RegExp | string, string]>([
  [/a(?=b)/, '/a(?=b)/ cannot be matched in linear time: (?=…) is a lookahead'],
  [/a(?!b)/, '/a(?!b)/ cannot be matched in linear time: (?!…) is a lookahead'],
  [/(?<=a)b/, '/(?<=a)b/ cannot be matched in linear time: (?<=…) is a lookbehind'],
  [/(?<!a)b/, '/(?<!a)b/ cannot be matched in linear time: (?<!…) is a lookbehind'],
  [/(a)\1/, '/(a)\\1/ cannot be matched in linear time: \\1 is a backreference'],
  [/(?<x>a)\k<x>/, '/(?<x>a)\\k<x>/ cannot be matched in linear time: \\k<x> is a backreference'],
  [/a{1001}/, '/a{1001}/ cannot be matched in linear time: {1001} repeats more than 1000 times'],
  [/a{2,5000}/, '/a{2,5000}/ cannot be matched in linear time: {2,5000} repeats more than 1000 times'],
  [/(?:a{100}){100}/, '/(?:a{100}){100}/ cannot be matched in linear time: its repeat counts multiply to more than 1000'],
  [new RegExp('.{1000}'.repeat(5)), `/${'.{1000}'.repeat(5)}/ cannot be matched in linear time: it has more than 4000 steps`],
  [/a/y, '/a/y cannot be matched in linear time: the flag y is not supported'],
  [new RegExp('[a]', `${'v'}`), '/[a]/v cannot be matched in linear time: the flag v is not supported'],
  ['a(?=b)', '"a(?=b)" cannot be matched in linear time: (?=…) is a lookahead'],
  ['(', '"(" is not a valid regular expression'],
  ['x'.repeat(1001), 'a pattern has at most 1000 characters'],
])('%s is refused', (pattern, message) => {
  expect(() => compile(pattern)).toThrow(new RangeError(message))
}) // biome-ignore format: a table

test('a pattern costs comparisons by its size and by the length of the text', () => {
  const spent = (text: string, limit?: number) => {
    const budget = new ComparisonBudget('use a shorter pattern', limit)
    const spend = vi.spyOn(budget, 'spend')
    matches({ matches: '^(?:a+)+$' }, text, budget)
    return spend.mock.calls.reduce((sum: number, [count = 1]) => sum + count, 0)
  }
  spent('')
  const [short, long] = [spent('a'.repeat(1000)), spent('a'.repeat(9000))]

  expect(long).toBeGreaterThan(5 * short)
  expect(long).toBeLessThan(10 * short)
  expect(() => spent('a'.repeat(9000), 100)).toThrow(/^more than 100 comparisons/)
})

test('at most 10,000 characters of a text are read', () => {
  expect(matches(/b/, `${'a'.repeat(9999)}b`)).toBe(true)
  expect(matches(/b/, `${'a'.repeat(10_000)}b`)).toBe(false)
})
