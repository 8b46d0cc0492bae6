import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParsedDocument, parseJsonText, parseYamlText } from '../../../src/cli/seeds/document.ts'

const toPositionFinder = (read: ParsedDocument) =>
  'findPositionOf' in read ? read.findPositionOf : expect.unreachable('a fault')

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

test('100,000 levels are read without recursion', () => {
  const deep = toPositionFinder(parseJsonText(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`))

  expect(deep(Array(3).fill(0), 'value')).toEqual({ line: 1, column: 4 })
})
