import type { z } from 'zod'
import { isObject } from '../../schema/values/json.ts'
import { seedShape } from '../../seeds/schema/shape.ts'

const MAX_LINE_LENGTH = 120
const INDENT = '  '

type Schema = z.core.$ZodType & { def: Definition }
type Definition = {
  type: string
  shape?: Readonly<Record<string, Schema>>
  element?: Schema
  innerType?: Schema
  options?: readonly Schema[]
  in?: Schema
}

/** Returns the definition of a list as that of the schema's lists. Looks inside optional schemas, pipes and unions. */
function resolveDefinition(schema: Schema | undefined, data: unknown): Definition | undefined {
  const { type, innerType, options = [], in: first } = schema?.def ?? { type: '' }
  if (innerType) return resolveDefinition(innerType, data)
  if (type === 'pipe') return resolveDefinition(first, data)
  if (type === 'union') return options.map((one) => resolveDefinition(one, data)).find((found) => found !== undefined)
  return type === (Array.isArray(data) ? 'array' : 'object') ? schema?.def : undefined
}

function sortKeyNames(data: object, schema: Definition | undefined): string[] {
  const known = Object.keys(schema?.shape ?? {}).filter((name) => Object.hasOwn(data, name))
  return [...known, ...Object.keys(data).filter((name) => !known.includes(name))]
}

function sortBySchema(data: unknown, schema: Schema | undefined): unknown {
  const found = resolveDefinition(schema, data)
  if (Array.isArray(data)) return data.map((item) => sortBySchema(item, found?.element))
  if (!isObject(data)) return data
  const entries = sortKeyNames(data, found).map(
    (name) => [name, sortBySchema(data[name], found?.shape?.[name])] as const,
  )
  return Object.fromEntries(entries)
}

/** Unknown keys follow. */
export const sortSeedKeys = (data: unknown): unknown => sortBySchema(data, seedShape as unknown as Schema)

/** An indent of two spaces, short values on one line, and a final line feed. */
export const formatSeedJson = (data: unknown): string => `${printValue(sortSeedKeys(data), '', '').text}\n`

type Printed = { text: string; flat: string | undefined }

function printValue(data: unknown, indent: string, before: string): Printed {
  if (typeof data !== 'object' || data === null) return { text: JSON.stringify(data), flat: JSON.stringify(data) }
  const [open, close] = Array.isArray(data) ? ['[', ']'] : ['{ ', ' }']
  const parts = Object.entries(data).flatMap(([name, value]) => {
    if (value === undefined) return []
    const label = Array.isArray(data) ? '' : `${JSON.stringify(name)}: `
    return [{ label, ...printValue(value, indent + INDENT, label) }]
  })
  if (parts.length === 0) return { text: (open + close).replaceAll(' ', ''), flat: (open + close).replaceAll(' ', '') }
  const isFlat = parts.every(({ flat }) => flat !== undefined)
  const flat = isFlat ? open + parts.map(({ label, flat }) => label + flat).join(', ') + close : undefined
  const fits = flat !== undefined && indent.length + before.length + flat.length < MAX_LINE_LENGTH
  if (fits) return { text: flat, flat }
  const lines = parts.map(({ label, text }) => indent + INDENT + label + text)
  return { text: `${open.trim()}\n${lines.join(',\n')}\n${indent}${close.trim()}`, flat: undefined }
}
