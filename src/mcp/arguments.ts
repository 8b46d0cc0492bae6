import { toShown } from '../schema/values/shownText.ts'
import type { ToolSchema, ValueOf } from './definitions/shapes.ts'
import { ToolError } from './host.ts'

const TYPES: Readonly<Record<string, string>> = { string: 'TYPE_STRING', boolean: 'TYPE_BOOL', integer: 'TYPE_INT32' }
const MAX_INT32 = 2 ** 31 - 1

/** The checked arguments of a tool, and the places whose other form the parser of the service takes: `start_time`, `"10"`. */
export type ParsedArguments<T extends { inputSchema: ToolSchema }> = {
  readonly args: ValueOf<T['inputSchema']>
  readonly otherForms: readonly string[]
}

/**
 * Checks the arguments of a tool, and returns them without nulls. Names in snake case, integers as texts and numbers of enum
 * values become their usual form. Throws a ToolError for an unknown name, a wrong type, an unknown enum value, and a missing
 * argument (behaviour 17.8).
 */
export function parseToolArguments<T extends { inputSchema: ToolSchema }>(
  { inputSchema: schema }: T,
  given: unknown = {},
): ParsedArguments<T> {
  const parser: Parser = { shapes: schema.$defs ?? {}, otherForms: [] }
  const args = parseMessage(schema, given, '', parser)
  const missing = schema.required?.find((name) => args[name] === undefined || args[name] === '')
  if (missing !== undefined) throw new ToolError(`Missing required field: ${missing}`)
  return { args: args as ValueOf<T['inputSchema']>, otherForms: parser.otherForms }
}

type Parser = { readonly shapes: Readonly<Record<string, ToolSchema>>; readonly otherForms: string[] }

function parseMessage(schema: ToolSchema, given: unknown, path: string, parser: Parser): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidValue(path, 'TYPE_MESSAGE', given)
  const { properties = {} } = schema
  const parsed: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(given)) {
    if (value === null) continue
    const name = Object.hasOwn(properties, written) ? written : toCamelCase(written)
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property) throw unknownName(written, path)
    const place = path === '' ? name : `${path}.${name}`
    if (name !== written) parser.otherForms.push(place)
    parsed[name] = parseValue(property, value, place, parser)
  }
  return parsed
}

/** Returns `startTime` for `start_time`. */
const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function parseValue(schema: ToolSchema, given: unknown, path: string, parser: Parser): unknown {
  const shape = schema.$ref === undefined ? schema : (parser.shapes[schema.$ref.slice('#/$defs/'.length)] ?? schema)
  const { type = '', items } = shape
  if (type === 'object') return parseMessage(shape, given, path, parser)
  if (type === 'array') {
    if (!Array.isArray(given)) throw invalidValue(path, 'repeated', given)
    return given.map((item, at) => parseValue(items ?? {}, item, `${path}[${at}]`, parser))
  }
  const value = toUsualForm(shape, given)
  if (value !== given) parser.otherForms.push(path)
  if (shape.enum && !shape.enum.includes(String(value))) throw invalidValue(path, 'TYPE_ENUM', given)
  const fits =
    type === 'integer' ? Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT32 : typeof value === type
  if (!fits) throw invalidValue(path, TYPES[type] ?? type, given)
  return value
}

/** Returns 10 for `"10"`, and for a number of an enum its value. */
function toUsualForm({ type, enum: values }: ToolSchema, given: unknown): unknown {
  if (values && typeof given === 'number') return values[given]
  return type === 'integer' && typeof given === 'string' && /^-?\d{1,10}$/.test(given) ? Number(given) : given
}

const unknownName = (name: string, path: string): ToolError => {
  const place = path === '' ? '' : ` at '${path}'`
  return new ToolError(`Invalid JSON payload received. Unknown name ${toShown(name)}${place}: Cannot find field.`)
}

const invalidValue = (path: string, kind: string, value: unknown): ToolError =>
  new ToolError(`Invalid value at '${path}' (${kind}), ${toShown(value)}`)
