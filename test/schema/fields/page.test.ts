import { execFile } from 'node:child_process'
import { relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { api } from '../../../src/api/index.ts'
import { EVENT_FIELDS, eventInOrder } from '../../../src/model/events/fields.ts'
import type { JsonSchema } from '../../../src/schema/jsonSchema.ts'
import { STANDARD } from '../../../src/schema/params.ts'
import { SCHEMAS } from '../../../src/schema/schemas.ts'
import { FIELDS, type Row } from './table.ts'

/** Lists the fields of a schema, and those of its unnamed nested schemas. */
const fieldsOf = (at: string, { properties = {} }: JsonSchema): string[] =>
  Object.entries(properties).flatMap(([key, property]) => [
    `${at}.${key}`,
    ...fieldsOf(`${at}.${key}`, property.items ?? property),
  ])

/** Returns the name of each parameter of each method. */
const parameters = (): string[] => {
  const names = [...Object.keys(STANDARD), ...api.flatMap(({ params }) => Object.keys(params))]
  return [...new Set(names)].map((name) => `Parameter.${name}`)
}

/** Returns the differences of two lists, each as a sentence that names the place to change. */
const differences = (file: string, rows: readonly string[], fields: readonly string[]): string[] => [
  ...fields.filter((field) => !rows.includes(field)).map((field) => `${file} has no row for ${field}`),
  ...rows.filter((field) => !fields.includes(field)).map((field) => `${file} has a row for ${field}, no schema has it`),
]

test('the table of event fields has a row for every field of an event', () => {
  const fields = Object.keys(SCHEMAS.Event?.properties ?? {})
  expect(differences('src/model/events/fields.ts', EVENT_FIELDS, fields)).toEqual([])
})

test('the table of the tests has one row for every field of every schema, and for every parameter', () => {
  const file = 'test/schema/fields/table.ts'
  const rows = FIELDS.map(({ field }) => field)
  const fields = Object.entries(SCHEMAS).flatMap(([name, schema]) => fieldsOf(name, schema))
  expect(
    differences(`${file}, or for a simple field of an event test/support/eventRows.ts,`, rows, [
      ...fields,
      ...parameters(),
    ]),
  ).toEqual([])
  expect(new Set(rows).size).toBe(rows.length)
})

test('default values are omitted, except the kind and the type of an event', () => {
  const defaults = Object.entries(SCHEMAS.Event?.properties ?? {}).flatMap(([name, { type, default: value }]) =>
    value === undefined ? [] : [[name, type === 'boolean' ? value === 'true' : value]],
  )
  expect(eventInOrder(Object.fromEntries(defaults))).toEqual({ kind: 'calendar#event', eventType: 'default' })
})

const files = [...new Set(FIELDS.map(({ file }) => file))]

test('every test that the table names exists', { timeout: 120_000 }, async () => {
  const { NODE_OPTIONS, PATH } = process.env
  // `--json` takes the next argument as its file, so it comes last.
  const list = ['node_modules/vitest/vitest.mjs', 'list', ...files, '--project', 'unit', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, list, {
    maxBuffer: 2 ** 24,
    env: { NODE_OPTIONS, PATH },
  })
  const tests: { name: string; file: string }[] = JSON.parse(stdout)
  const titles = new Map(files.map((file) => [file, [] as string[]]))
  for (const { name, file } of tests) titles.get(relative(process.cwd(), file))?.push(name.replace(/^[\d., ]+ /, ''))
  const missing = FIELDS.filter(({ file, title }) => !titles.get(file)?.some((one) => one.startsWith(title)))
  expect(missing.map(({ file, title }) => `${file} has no test that begins “${title}”`)).toEqual([])
})

/** The generated page; `npx vitest run test/schema/fields/page.test.ts -u` writes it. */
const page = (rows: readonly Row[]): string => `# Fields

This page lists every field of the service and every parameter of its methods, with how close it is to the service: \`exact\`, \`simplified\` (with the difference) or
\`ignored\`. The title of the test begins with the given words, after the numbers of its headings. This page is generated from \`test/schema/fields/table.ts\`.
${[...new Set(rows.map(({ field }) => schemaOf(field)))].map((schema) => section(schema, rows)).join('')}`

const schemaOf = (field: string) => field.slice(0, field.indexOf('.'))

const section = (schema: string, rows: readonly Row[]): string => `
## ${schema}

| field | | test | |
| --- | --- | --- | --- |
${rows
  .filter(({ field }) => schemaOf(field) === schema)
  .map(({ field, closeness, file, title, note = '' }) => {
    const name = field.slice(schema.length + 1)
    return `| \`${name}\` | ${closeness} | \`${file}\`: ${title.replace(/: $/, '')} | ${note} |\n`
  })
  .join('')}`

test('docs/reference/fields.md is generated from the table', async () => {
  await expect(page(FIELDS)).toMatchFileSnapshot('../../../docs/reference/fields.md')
})
