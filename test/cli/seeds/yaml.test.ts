import { expect, test, vi } from 'vitest'
import { Lexer, Parser } from 'yaml'
import { parseJsonText } from '../../../src/cli/seeds/json.ts'
import { parseYamlText } from '../../../src/cli/seeds/yaml.ts'

test('a duplicate key is reported at its second place', () => {
  expect(parseYamlText('accounts: []\ngroups:\n  - { email: a, email: b }\naccounts: []\n')).toEqual({
    problems: expect.arrayContaining([
      { line: 3, column: 17, problem: 'Map keys must be unique' },
      { line: 4, column: 1, problem: 'Map keys must be unique' },
    ]),
  })
})

test('a map of 10,000 keys is read without comparing each key with every other', () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `key${at}: ${at}`).join('\n')
  const { some } = Array.prototype
  let compared = 0
  const spy = vi.spyOn(Array.prototype, 'some').mockImplementation(function (this: unknown[], ...given) {
    compared += this.length
    return some.apply(this, given)
  })
  const read = parseYamlText(text)
  spy.mockRestore()

  expect('data' in read && Object.keys(read.data as object)).toHaveLength(10_000)
  expect(compared).toBeLessThan(10_000 * 20)
})

test.each([
  ['block', (count: number) => `a:\n${Array.from({ length: count }, (_, at) => `  k${at}: ${at}\n`).join('')}`, { line: 2, column: 3 }],
  ['flow', (count: number) => `a: {${Array.from({ length: count }, (_, at) => `k${at}: ${at}`).join(', ')}}`, { line: 1, column: 4 }],
])('a %s map of more than 10,000 keys is refused before the others are read', (_, textOf, place) => {
  expect(parseYamlText(textOf(10_000))).toHaveProperty('data')
  const next = vi.spyOn(Parser.prototype, 'next')
  const read = parseYamlText(textOf(100_000))
  const lexemes = next.mock.calls.length
  next.mockRestore()

  expect(read).toEqual({ problems: [{ ...place, problem: 'more than 10000 entries' }] })
  expect(lexemes).toBeLessThan(100_000)
}) // biome-ignore format: a table

test('a text has at most two million characters', () => {
  const lex = vi.spyOn(Lexer.prototype, 'lex')
  const read = [1_999_990, 2_000_000].map((length) => parseYamlText(`a: |\n ${'x'.repeat(length)}`))
  const calls = lex.mock.calls.length
  lex.mockRestore()

  expect(read[0]).toHaveProperty('data')
  expect(read[1]).toEqual({
    problems: [{ line: 1, column: 1, problem: 'more than 2000000 characters (JSON has no such limit)' }],
  })
  expect(calls).toBe(1)
})

test('a text has at most 300,000 tokens', () => {
  const next = vi.spyOn(Parser.prototype, 'next')
  const read = parseYamlText(`[${'1,'.repeat(300_000)}]`)
  const lexemes = next.mock.calls.length
  next.mockRestore()

  expect(read).toEqual({
    problems: [{ line: 1, column: expect.any(Number), problem: 'more than 300000 tokens (JSON has no such limit)' }],
  })
  expect(lexemes).toBe(300_000)
})

test('a text is split into lexemes once, and errors keep their lines', () => {
  const lex = vi.spyOn(Lexer.prototype, 'lex')
  const read = ['a: 1\n---\nb: 2\n', `a:\n  ${'['.repeat(101)}\n`, 'a: 1\nb: [\n'].map(parseYamlText)
  const calls = lex.mock.calls.length
  lex.mockRestore()

  expect(calls).toBe(3)
  expect(read).toEqual([
    { problems: [{ line: 2, column: 1, problem: 'not YAML: several documents, separated by --- (expected one)' }] },
    { problems: [{ line: 2, column: 103, problem: 'more than 100 levels inside each other' }] },
    { problems: [{ line: 3, column: 1, problem: expect.stringContaining('Flow sequence') }] },
  ])
})

test.each([['JSON', parseJsonText] as const, ['YAML', parseYamlText] as const])(
  'the places of 5,000 keys of one map are found in linear steps in %s',
  (_, read) => {
    const text = `{${Array.from({ length: 5000 }, (_, at) => `"key${at}": ${at}`).join(',')}}`
    const parsed = read(text)
    const { find } = Array.prototype
    let visited = 0
    const spy = vi.spyOn(Array.prototype, 'find').mockImplementation(function (this: unknown[], ...given) {
      visited += this.length
      return find.apply(this, given)
    })
    const places = Array.from({ length: 5000 }, (_, at) => ({ path: [`key${at}`], what: 'key' as const }))
    const columns = 'findPositions' in parsed && parsed.findPositions(places).map(({ column }) => column)
    spy.mockRestore()

    expect(new Set(columns || []).size).toBe(5000)
    expect(visited).toBeLessThan(50_000)
  },
)

const COMPARE = '(compare its indentation with the lines above)'
test.each([
  ['a deeper key', 'a: 1\n  b: 2\n', { line: 1, column: 4 }, `Nested mappings are not allowed in compact mappings ${COMPARE}`],
  ['a shallower key', 'a:\n- b: 1\n   c: 2\n  d: 3\n e: 4\n', { line: 2, column: 6 }, `Nested mappings are not allowed in compact mappings ${COMPARE}`],
  ['a key beside an item', 'a:\n  - b: c\n   d: e\n', { line: 3, column: 1 }, `Sequence item without - indicator ${COMPARE}`],
  ['a key below a list', '- a\nb: 1\n', { line: 2, column: 1 }, `Unexpected scalar at node end ${COMPARE}`],
  ['a tab', 'a:\n\t- x\n', { line: 2, column: 1 }, 'Tabs are not allowed as indentation'],
  ['a value', 'a: @x\n', { line: 1, column: 4 }, 'Plain value cannot start with reserved character @'],
])('a syntax error is reported once (%s)', (_, text, place, problem) => {
  expect(parseYamlText(text)).toEqual({ problems: [{ ...place, problem: `not YAML: ${problem}` }] })
}) // biome-ignore format: a table
