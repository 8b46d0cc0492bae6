import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParsedDocument, parseJsonText, parseYamlText } from '../../../src/cli/seeds/document.ts'

test('a duplicate key is reported at its second place', () => {
  expect(parseYamlText('accounts: []\ngroups:\n  - { email: a, email: b }\naccounts: []\n')).toEqual({
    problems: expect.arrayContaining([
      { line: 3, column: 17, problem: 'Map keys must be unique' },
      { line: 4, column: 1, problem: 'Map keys must be unique' },
    ]),
  })
})

test('an error in YAML has its line', () => {
  expect(['a: 1\n---\nb: 2\n', 'a: 1\nb: [\n'].map(parseYamlText)).toEqual([
    { problems: [{ line: 2, column: 1, problem: expect.stringContaining('multiple documents') }] },
    { problems: [{ line: 3, column: 1, problem: expect.stringContaining('Flow sequence') }] },
  ])
})

const toPositionFinder = (read: ParsedDocument) =>
  'findPositionOf' in read ? read.findPositionOf : expect.unreachable('a fault')

/** Returns the path of each value. */
function* pathsOf(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key])
}

test('the text at the position of a value in JSON is the value', () => {
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
      const find = toPositionFinder(parseJsonText(text))
      const textAt = ({ line, column }: { line: number; column: number }) =>
        text
          .split('\n')
          .slice(line - 1)
          .join('\n')
          .slice(column - 1)
      for (const path of pathsOf(data)) {
        const value = path.reduce<unknown>((inner, step) => Reflect.get(inner as object, step), data)
        expect(withoutSpace(textAt(find(path, 'value'))).startsWith(withoutSpace(JSON.stringify(value)))).toBe(true)
        const key = path.at(-1)
        if (typeof key === 'string') expect(textAt(find(path, 'key')).startsWith(JSON.stringify(key))).toBe(true)
      }
    }),
  )
})

const withoutSpace = (text: string) => text.replace(/\s/g, '')
