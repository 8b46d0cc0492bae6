// biome-ignore lint/suspicious/noExplicitAny: a document of whatever shape
type Json = any

type ClientFunction = { arguments: string[]; fixed?: Json; result?: string | null; prints?: true }
type Parameter = { name: string; schema: Json; isRequired: boolean }
type Row = {
  name: string
  verb: string
  path: string
  summary: string
  own: ClientFunction
  /** Without them the input is the whole body. */
  parameters: Parameter[] | undefined
  /** Without it the response is a text. */
  response: Json | undefined
}

function readFunctions(document: Json): Row[] {
  return Object.entries<Json>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<Json>(verbs).flatMap(([verb, operation]) =>
      Object.entries<ClientFunction>(operation['x-functions'] ?? {}).map(([name, own]) => ({
        ...{ name, verb: verb.toUpperCase(), path, summary: operation.summary, own },
        parameters: readParameters(operation),
        response: operation.responses[200].content['application/json']?.schema,
      })),
    ),
  )
}

function readParameters({ parameters, requestBody }: Json): Parameter[] | undefined {
  const body = requestBody?.content['application/json'].schema
  if (body && !body.properties) return undefined
  const inAddress = parameters.filter((one: Json) => one.name && !body?.properties?.[one.name])
  return [
    ...inAddress.map((one: Json) => ({ name: one.name, schema: one.schema, isRequired: one.required })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      ...{ name, schema, isRequired: Boolean(body.required?.includes(name)) },
    })),
  ]
}

/** Returns the text of `functions.json`, a line for each function. */
export function formatFunctions(document: Json): string {
  const lines = readFunctions(document).map(({ name, verb, path, own, response, parameters = [] }) => {
    const nullable = parameters.filter(({ schema }) => isNullable(schema)).map((one) => one.name)
    const { prints, result, fixed, arguments: names } = own
    const flags = { prints, ...(!response && { text: true }), ...(nullable.length > 0 && { nullable }) }
    const row = { verb, path, arguments: names, fixed, result, ...flags }
    return `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

const isNullable = ({ type, anyOf = [] }: Json): boolean => type === 'null' || anyOf.some(isNullable)

const HEAD = `# Written by test/control/pythonClient.test.ts from the OpenAPI document of /_control.
from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, Sequence, Union

from .transport import Server

def connect(url: str, world: Optional[str] = ..., token: Optional[str] = ...) -> Controls:
    """Returns the controls of a world of a running server: of \`world\`, else of the one in the address, else of \`default\`."""

`

/** Returns the text of `controls.pyi`: a class for each group of functions. */
export function formatStub(document: Json): string {
  const rows = readFunctions(document)
  const groups = [...new Set(rows.flatMap(({ name }) => (name.includes('.') ? [name.split('.')[0] ?? ''] : [])))]
  const classes = groups.map((group) => {
    const members = rows.filter(({ name }) => name === group || name.startsWith(`${group}.`))
    const methods = members.map((row) =>
      formatMethod(row.name === group ? '__call__' : row.name.slice(group.length + 1), row),
    )
    return `class ${toClassName(group)}:\n${methods.join('\n')}`
  })
  const attributes = groups.map((group) => `    @property\n    def ${group}(self) -> ${toClassName(group)}: ...\n`)
  const own = rows.filter(({ name }) => !groups.includes(name.split('.')[0] ?? ''))
  const methods = own.map((row) => formatMethod(row.name, row))
  const create = '    def __init__(self, server: Server, world: str, name: str = ...) -> None: ...\n'
  const controls = `class Controls:\n${[create, ...attributes, ...methods].join('\n')}`
  return HEAD + [...classes, controls].join('\n')
}

const toClassName = (group: string): string => `_${group.charAt(0).toUpperCase()}${group.slice(1)}`

function formatMethod(name: string, { own, parameters, response, summary }: Row): string {
  const [first = 'self', ...rest] = [
    'self',
    ...(parameters ? formatParameters(own, parameters) : ['seed: Any = ...', '/', '**fields: Any']),
  ]
  const whole = response ?? { type: 'string' }
  const result =
    own.result === undefined ? whole : own.result === null ? { type: 'null' } : whole.properties[own.result]
  const head = `    def ${name}(${[first, ...rest].join(', ')}) -> ${toType(result)}:`
  const wrapped = `    def ${name}(\n${[first, ...rest].map((one) => `        ${one},\n`).join('')}    ) -> ${toType(result)}:`
  return `${head.length > 120 ? wrapped : head}\n        """${summary}"""\n`
}

function formatParameters({ arguments: names, fixed = {} }: ClientFunction, parameters: Parameter[]): string[] {
  const found = names.flatMap((name) => parameters.filter((one) => one.name === name))
  const lastRequired = found.findLastIndex(({ isRequired }) => isRequired)
  // Python has no argument without a default after one with it.
  const positional = found.map((one, at) => ({ ...one, isRequired: one.isRequired || at < lastRequired }))
  const others = parameters.filter(({ name }) => !names.includes(name) && !Object.hasOwn(fixed, name))
  const format = ({ name, schema, isRequired }: Parameter) => {
    const type = toType(schema, true)
    return `${toName(name)}: ${isRequired ? type : `${/^(Optional|Any)/.test(type) ? type : `Optional[${type}]`} = ...`}`
  }
  const keywords = [...others].sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
  return [...positional.map(format), ...(keywords.length > 0 ? ['*'] : []), ...keywords.map(format)]
}

/** The keywords of Python that are names of fields. */
const KEYWORDS = ['from', 'for']
const toName = (name: string): string => (KEYWORDS.includes(name) ? `${name}_` : name)

const TYPES: Record<string, string> = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' }

function toType(schema: Json, isInput = false): string {
  if (schema.$ref) return 'Dict[str, Any]'
  if (schema.const !== undefined || schema.enum) return toLiteral(schema.enum ?? [schema.const])
  const options =
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(schema.type) ? schema.type.map((type: string) => ({ type })) : undefined)
  if (options) return toUnion(options.map((one: Json) => toType(one, isInput)))
  if (schema.type === 'array') return `${isInput ? 'Sequence' : 'List'}[${toType(schema.items ?? {}, isInput)}]`
  if (schema.type === 'object') return 'Dict[str, Any]'
  if (isInput && schema.format === 'date-time') return 'Union[str, datetime]'
  return TYPES[schema.type] ?? 'Any'
}

const toLiteral = (values: unknown[]): string =>
  `Literal[${values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))).join(', ')}]`

function toUnion(given: string[]): string {
  const types = [...new Set(given)]
  if (types.includes('Any')) return 'Any'
  // A flag of a query is also a text.
  const shown = types.filter(
    (type) => type !== 'None' && !(types.includes('bool') && type === 'Literal["true", "false"]'),
  )
  const union = shown.length === 1 ? (shown[0] ?? '') : `Union[${shown.join(', ')}]`
  return types.includes('None') ? `Optional[${union}]` : union
}
