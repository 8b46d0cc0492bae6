import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** The folder of the entries, `src/*.ts`. */
const TOP = 'src'
const [, LAYOUT = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('\n## The layout of `src/`\n')

type Source = { file: string; folder: string; text: string; imports: string[] }

const SOURCES = readdirSync(TOP, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name): Source => {
    const file = join(TOP, name)
    const text = readFileSync(file, 'utf8')
    const imports = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    )
    return { file, folder: folderOf(file), text, imports }
  })

function folderOf(file: string): string {
  const [folder = '', inside] = relative(TOP, file).split('/')
  return inside === undefined ? TOP : folder
}

/** The folders of the table, in its order: each may import from those above it. */
const FOLDERS = [...LAYOUT.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, folder = '', sentence = '']) => ({
  folder,
  sentence,
}))

const IMPORTS = new Map(FOLDERS.map(({ folder }) => [folder, new Set<string>()]))
for (const { folder, imports } of SOURCES) {
  for (const other of imports.map(folderOf)) if (other !== folder) IMPORTS.get(folder)?.add(other)
}

/** Returns true if a folder imports another indirectly. */
function reaches(from: string, to: string): boolean {
  return [...(IMPORTS.get(from) ?? [])].some((next) => next !== to && (IMPORTS.get(next)?.has(to) || reaches(next, to)))
}

/** Returns the graph of imports, without the arrows that follow from others. */
function graph(): string {
  const arrows = FOLDERS.toReversed().flatMap(({ folder }) => {
    const targets = [...(IMPORTS.get(folder) ?? [])].filter((other) => !reaches(folder, other)).sort()
    return targets.length === 0 ? [] : [`  ${folder} --> ${targets.join(' & ')}`]
  })
  return ['```mermaid', 'graph TD', ...arrows, '```'].join('\n')
}

test('CONTRIBUTING.md describes every folder of `src`, and no other', () => {
  expect(FOLDERS.map(({ folder }) => folder).sort()).toEqual([...new Set(SOURCES.map(({ folder }) => folder))].sort())
  for (const { sentence } of FOLDERS) expect(sentence).toMatch(/^[A-Z].*\.$/)
})

test('a folder imports only from the folders above it in the table', () => {
  const order = FOLDERS.map(({ folder }) => folder)
  const upward = SOURCES.flatMap(({ file, folder, imports }) =>
    imports.filter((path) => order.indexOf(folderOf(path)) > order.indexOf(folder)).map((path) => `${file} > ${path}`),
  )
  expect(upward).toEqual([])
})

test('the graph in CONTRIBUTING.md matches the imports', () => {
  const drawn = /```mermaid\n[\s\S]*?```/.exec(LAYOUT)?.[0]
  expect(drawn, `CONTRIBUTING.md must contain:\n${graph()}`).toBe(graph())
})

/** The longest chain of imports that begins at a folder. */
function levelOf(folder: string): number {
  return 1 + Math.max(0, ...[...(IMPORTS.get(folder) ?? [])].map(levelOf))
}

test('the graph has at most eight levels', () => {
  expect(Math.max(...FOLDERS.map(({ folder }) => levelOf(folder)))).toBeLessThanOrEqual(8)
})

/** Every folder below `src`, which has files or sub-folders that import each other. */
const INNER_FOLDERS = [...new Set(SOURCES.flatMap(({ file }) => foldersAbove(file)))].sort()

function foldersAbove(file: string): string[] {
  const folder = dirname(file)
  return folder === TOP ? [] : [folder, ...foldersAbove(folder)]
}

/** Returns the file or sub-folder of a folder that contains a file. */
function memberOf(folder: string, file: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined
}

/** Returns what the members of a folder import from each other, by the importing one. */
function importsInside(folder: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { file, imports } of SOURCES) {
    const from = memberOf(folder, file)
    if (from === undefined) continue
    const others = imports.map((path) => memberOf(folder, path)).filter((to) => to !== undefined && to !== from)
    found.set(from, new Set([...(found.get(from) ?? []), ...(others as string[])]))
  }
  return found
}

/** Returns the members of a folder that import each other in a circle: those left when whoever imports no other is removed. */
function findCircle(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  let left = [...imports.keys()]
  for (;;) {
    const bound = left.filter((one) => left.some((other) => imports.get(one)?.has(other)))
    if (bound.length === left.length) return left
    left = bound
  }
}

test('a circle of imports is found, and a chain is none', () => {
  const chain = new Map(
    [
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', []],
    ].map(([from, to]) => [from as string, new Set(to)]),
  )
  expect(findCircle(chain)).toEqual([])
  expect(findCircle(new Map([...chain, ['c', new Set(['b'])]]))).toEqual(['a', 'b', 'c'])
})

test.each(INNER_FOLDERS)('imports between the files and sub-folders of %s go one way', (folder) => {
  expect(findCircle(importsInside(folder))).toEqual([])
})

test('the layers below `api` import neither HTTP nor zod', () => {
  const order = FOLDERS.map(({ folder }) => folder)
  const below = SOURCES.filter(
    ({ folder }) => folder !== 'schema' && folder !== 'http' && order.indexOf(folder) < order.indexOf('api'),
  )
  const bad = below.filter(({ text }) => /from '(zod|hono|@hono|node:http)/.test(text))
  expect(below.length).toBeGreaterThan(50)
  expect(bad.map(({ file }) => file)).toEqual([])
})

const MAX_LINES = 400

test('a file has at most 400 lines', () => {
  const long = SOURCES.filter(({ text }) => text.trimEnd().split('\n').length > MAX_LINES)
  expect(long.map(({ file }) => file)).toEqual([])
})

/** Folders of `test` without a counterpart in `src`. */
const SUITES = [
  'bench',
  'clients',
  'conformance',
  'docs',
  'e2e',
  'fixtures',
  'language',
  'model',
  'mutants',
  'robust',
  'samples',
  'support',
  'ui',
]
/** Folders below a mirrored one that group cases about several folders of `src`. */
const GROUPS = ['schema/fields']

test('the folders of `test` mirror those of `src`', () => {
  const sources = new Set(SOURCES.map(({ file }) => relative(TOP, dirname(file))))
  // Other tests write to folders with a dot and remove them, while this one reads.
  const strays = readdirSync('test', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      readdirSync(join('test', name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
    )
    .filter((name) => name.endsWith('.test.ts'))
    .map(dirname)
    .filter((folder) => !SUITES.includes(folder.split('/')[0] ?? ''))
    .filter((folder) => !sources.has(folder) && !GROUPS.includes(folder))
  expect([...new Set(strays)]).toEqual([])
})
