import type { z } from 'zod'
import { seedShape } from '../../seeds/schema/shape.ts'

const WIDTH = 120
const STEP = '  '

type Schema = z.core.$ZodType & { def: Definition }
type Definition = {
  type: string
  shape?: Readonly<Record<string, Schema>>
  element?: Schema
  innerType?: Schema
  options?: readonly Schema[]
  in?: Schema
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the part of a schema that describes objects, or lists, depending on the data. */
function within(schema: Schema | undefined, data: unknown): Definition | undefined {
  const { type, innerType, options = [], in: first } = schema?.def ?? { type: '' }
  if (innerType) return within(innerType, data)
  if (type === 'pipe') return within(first, data)
  if (type === 'union') return options.map((one) => within(one, data)).find((found) => found !== undefined)
  return type === (Array.isArray(data) ? 'array' : 'object') ? schema?.def : undefined
}

/** Returns the keys of an object in the order of the schema, then unknown keys in their own order. */
export function namesInOrder(data: object, schema: Definition | undefined): string[] {
  const known = Object.keys(schema?.shape ?? {}).filter((name) => Object.hasOwn(data, name))
  return [...known, ...Object.keys(data).filter((name) => !known.includes(name))]
}

function ordered(data: unknown, schema: Schema | undefined): unknown {
  const found = within(schema, data)
  if (Array.isArray(data)) return data.map((item) => ordered(item, found?.element))
  if (!isObject(data)) return data
  const entries = namesInOrder(data, found).map((name) => [name, ordered(data[name], found?.shape?.[name])] as const)
  return Object.fromEntries(entries)
}

/** Returns a seed with its keys in the order of the schema. */
export const inOrder = (data: unknown): unknown => ordered(data, seedShape as unknown as Schema)

/** Formats a seed as JSON: ordered keys, an indent of two spaces, and short values on one line. */
export const formatJson = (data: unknown): string => `${printValue(inOrder(data), '', '').text}\n`

type Printed = { text: string; flat: string | undefined }

/** Formats data that follows a text on its line: on the same line if it fits, else line by line. */
function printValue(data: unknown, indent: string, before: string): Printed {
  if (typeof data !== 'object' || data === null) return { text: JSON.stringify(data), flat: JSON.stringify(data) }
  const [open, close] = Array.isArray(data) ? ['[', ']'] : ['{ ', ' }']
  const parts = Object.entries(data).flatMap(([name, value]) => {
    if (value === undefined) return []
    const label = Array.isArray(data) ? '' : `${JSON.stringify(name)}: `
    return [{ label, ...printValue(value, indent + STEP, label) }]
  })
  if (parts.length === 0) return { text: (open + close).replaceAll(' ', ''), flat: (open + close).replaceAll(' ', '') }
  const isFlat = parts.every(({ flat }) => flat !== undefined)
  const flat = isFlat ? open + parts.map(({ label, flat }) => label + flat).join(', ') + close : undefined
  const fits = flat !== undefined && indent.length + before.length + flat.length < WIDTH
  if (fits) return { text: flat, flat }
  const lines = parts.map(({ label, text }) => indent + STEP + label + text)
  return { text: `${open.trim()}\n${lines.join(',\n')}\n${indent}${close.trim()}`, flat: undefined }
}
