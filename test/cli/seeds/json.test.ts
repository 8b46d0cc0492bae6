import fc from 'fast-check'
import * as jsonc from 'jsonc-parser'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ParsedDocument, Place } from '../../../src/cli/seeds/document.ts'
import { parseJsonText } from '../../../src/cli/seeds/json.ts'
import { parseYamlText } from '../../../src/cli/seeds/yaml.ts'

const toPositionFinder = (read: ParsedDocument) =>
  'findPositions' in read
    ? (path: Place['path'], what: Place['what']) => read.findPositions([{ path, what }])[0]
    : expect.unreachable('a fault')

/** Returns the path of each value. */
function* pathsOf(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key])
}

test('positions in JSON equal those of the YAML parser', () => {
  const keys = fc.constantFrom('a', 'b', 'two words', 'ü', '1', '{', ':')
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, -1.5, '', 'text', 'a "quoted", [text] \\ {with}: marks\n', '😀'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(keys, tie('any'), { maxKeys: 3 }),
    ),
  })).any
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2, '\t'), (data, indent) => {
      const text = JSON.stringify(data, undefined, indent)
      const [json, yaml] = [toPositionFinder(parseJsonText(text)), toPositionFinder(parseYamlText(text))]
      for (const path of pathsOf(data)) {
        expect(json(path, 'value')).toEqual(yaml(path, 'value'))
        expect(json(path, 'key')).toEqual(yaml(path, 'key'))
        expect(json([...path, 'missing', 7], 'key')).toEqual(yaml([...path, 'missing', 7], 'key'))
      }
    }),
  )
})

test('100,000 levels end neither the search for a position nor that for an error', () => {
  const deep = toPositionFinder(parseJsonText(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`))

  expect(deep(Array(3).fill(0), 'value')).toEqual({ line: 1, column: 4 })
  expect(parseJsonText('{"a":['.repeat(100_000))).toEqual({
    problems: [{ line: 1, column: 1, problem: 'not JSON: more than 100 levels inside each other' }],
  })
})

test('an object has at most 10,000 names', () => {
  const textOf = (count: number) => `{"a": {${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}}`

  expect(parseJsonText(textOf(10_000))).toHaveProperty('data')
  expect(parseJsonText(textOf(10_001))).toEqual({
    problems: [{ line: 1, column: 7, problem: 'more than 10000 entries' }],
  })
})

test('a text is visited for places only, with at most 1,000 blanks in a row', () => {
  const visit = vi.spyOn(jsonc, 'visit')
  onTestFinished(() => visit.mockRestore())
  const read = parseJsonText('[1]')
  expect('findPositions' in read && read.findPositions([])).toEqual([])
  expect(visit).not.toHaveBeenCalled()
  expect(parseJsonText(`[${' '.repeat(100_000)}\n  x]`)).toEqual({
    problems: [{ line: 2, column: 3, problem: 'not JSON: expected a value' }],
  })
  expect(visit.mock.calls[0]?.[0].length).toBeLessThan(1010)
})

const LONG = 'x'.repeat(9_000_000)

test.each([
  ['":"', '{"a": 1, "a" 2}', 14],
  ['","', '[1 2]', 4],
  ['","', '{"a": [1}', 9],
  ['a value', '[1, ]', 5],
  ['","', '[01]', 3],
  ['a value', '[+1]', 2],
  ['an escape for a control character', '["\t"]'.replace('\\t', '\t'), 2],
  ['an escape such as \\n', '["\\x"]', 2],
  ['four hexadecimal digits', '["\\u12"]', 2],
  ['a digit', '[1.]', 2],
  ['a closed string', `["${LONG}`, 2],
  ['a closed string', `["${LONG}\n"]`, 2],
])('the first error of JSON is where %s is expected', (expected, text, column) => {
  expect(parseJsonText(text)).toEqual({ problems: [{ line: 1, column, problem: `not JSON: expected ${expected}` }] })
})
