import type { ToolSchema, ValueOf } from './definitions/shapes.ts'
import { ToolError } from './host.ts'

const TYPES: Readonly<Record<string, string>> = { string: 'TYPE_STRING', boolean: 'TYPE_BOOL', integer: 'TYPE_INT32' }
const MAX_INT32 = 2 ** 31 - 1

/**
 * Checks the arguments of a tool, and returns them without nulls. Throws a ToolError for an unknown name,
 * a wrong type, an unknown enum value, and a missing argument (behaviour 17.8).
 */
export function parseArguments<T extends { inputSchema: ToolSchema }>(
  { inputSchema: schema }: T,
  given: unknown = {},
): ValueOf<T['inputSchema']> {
  const parsed = parseMessage(schema, given, '', schema.$defs ?? {})
  const missing = schema.required?.find((name) => parsed[name] === undefined || parsed[name] === '')
  if (missing !== undefined) throw new ToolError(`Missing required field: ${missing}`)
  return parsed as ValueOf<T['inputSchema']>
}

type Shapes = Readonly<Record<string, ToolSchema>>

function parseMessage(schema: ToolSchema, given: unknown, path: string, shapes: Shapes): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidValue(path, 'TYPE_MESSAGE', given)
  const { properties = {} } = schema
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!property) throw unknownName(name, path)
      return [name, parseValue(property, value, path === '' ? name : `${path}.${name}`, shapes)]
    }),
  )
}

function parseValue(schema: ToolSchema, value: unknown, path: string, shapes: Shapes): unknown {
  const shape = schema.$ref === undefined ? schema : (shapes[schema.$ref.slice('#/$defs/'.length)] ?? schema)
  const { type = '', items } = shape
  if (type === 'object') return parseMessage(shape, value, path, shapes)
  if (type === 'array') {
    if (!Array.isArray(value)) throw invalidValue(path, 'repeated', value)
    return value.map((item, at) => parseValue(items ?? {}, item, `${path}[${at}]`, shapes))
  }
  if (shape.enum && !shape.enum.includes(String(value))) throw invalidValue(path, 'TYPE_ENUM', value)
  const fits =
    type === 'integer' ? Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT32 : typeof value === type
  if (!fits) throw invalidValue(path, TYPES[type] ?? type, value)
  return value
}

const unknownName = (name: string, path: string): ToolError => {
  const place = path === '' ? '' : ` at '${path}'`
  return new ToolError(
    `Invalid JSON payload received. Unknown name ${JSON.stringify(name)}${place}: Cannot find field.`,
  )
}

const MAX_SHOWN = 200
const invalidValue = (path: string, kind: string, value: unknown): ToolError =>
  new ToolError(`Invalid value at '${path}' (${kind}), ${String(JSON.stringify(value)).slice(0, MAX_SHOWN)}`)
