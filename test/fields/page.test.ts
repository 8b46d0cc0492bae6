import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { FIELDS, type Row } from './table.ts'

type Property = { properties?: Record<string, Property>; items?: Property; $ref?: string }
const { schemas } = JSON.parse(readFileSync('test/surface.json', 'utf8')) as { schemas: Record<string, Property> }

/** Every field that an event leads to, schema by schema. */
function fieldsFrom(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const walk = (at: string, { properties = {} }: Property): string[] =>
    Object.entries(properties).flatMap(([key, property]) => {
      const { $ref } = property.items ?? property
      const field = `${at}.${key}`
      return [field, ...walk(field, property.items ?? property), ...($ref ? fieldsFrom($ref, seen) : [])]
    })
  return walk(name, schemas[name] ?? {})
}

test('every field of the schemas is in the table, once', () => {
  expect(FIELDS.map(({ field }) => field).sort()).toEqual(fieldsFrom('Event').sort())
})

const files = [...new Set(FIELDS.map(({ file }) => file))]

test('every test that the table names is there', { timeout: 120_000 }, async () => {
  const { NODE_OPTIONS, PATH } = process.env
  // What follows --json is where it writes: it comes last.
  const list = ['node_modules/vitest/vitest.mjs', 'list', ...files, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, list, {
    maxBuffer: 2 ** 24,
    env: { NODE_OPTIONS, PATH },
  })
  const tests: { name: string; file: string }[] = JSON.parse(stdout)
  const isThere = ({ file, title }: Row) =>
    tests.some((one) => relative(process.cwd(), one.file) === file && one.name.startsWith(title))
  expect(FIELDS.filter((row) => !isThere(row))).toEqual([])
})

/** What an update of the snapshot (`npx vitest run test/fields/page.test.ts -u`) writes. */
const page = (rows: readonly Row[]): string => `# Fields

Every field of an event, and how close it is to the service's: \`exact\`, \`simplified\` (what is different stands beside it) or
\`ignored\`. The test is the one whose title begins so. This page is written from \`test/fields/table.ts\`.
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

test('docs/fields.md is the table as it stands', async () => {
  await expect(page(FIELDS)).toMatchFileSnapshot('../../docs/fields.md')
})
