import { expect, test } from 'vitest'
import { z } from 'zod'
import { DECLARATIONS, declareTypes } from '../../build/declarations.ts'
import { int32, listOf, map, text } from '../../src/schema/jsonSchema.ts'

const inner = z.strictObject({ size: z.int().describe('In bytes.') }).describe('A part.')

test('a schema is declared with its descriptions, and named schemas by their names', () => {
  const outer = z.object({ part: inner.optional(), parts: z.array(inner), kind: z.enum(['one', 'two']).nullable() })

  expect(declareTypes({ Part: inner, Whole: outer })).toBe(
    [
      '/** A part. */\nexport type Part = {\n/** In bytes. */\nsize: number\n}',
      'export type Whole = {\npart?: Part | undefined\nparts: (Part)[]\nkind: "one" | "two" | null\n}',
    ].join('\n'),
  )
})

test('a converted value is declared as parsing returns it', () => {
  const body = z.object({ text, int32, map, list: listOf(z.union([z.literal(true), z.string()])), any: z.unknown() })

  expect(declareTypes({ Body: body }).split('\n').slice(1, -1)).toEqual([
    'text?: string | null | undefined',
    'int32?: number | null | undefined',
    'map?: Record<string, string | null> | null | undefined',
    'list?: (true | string)[] | null | undefined',
    'any: unknown',
  ])
})

test('the declarations of the package contain only types of TypeScript', () => {
  const words = Object.values(DECLARATIONS)
    .join('\n')
    .replace(/\/\*\*.*\*\//g, '')
    .match(/(?<=[:|(] ?)[a-z]+\b/g)

  expect([...new Set(words)].sort()).toEqual(['boolean', 'null', 'number', 'string', 'true', 'undefined', 'unknown'])
})
