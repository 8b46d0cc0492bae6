import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** `src/*.ts` itself, which joins the rooms. */
const TOP = 'src'
const [, CHAPTER = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('\n## The rooms of `src/`\n')

type Source = { file: string; room: string; text: string; imports: string[] }

const SOURCES = readdirSync(TOP, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name): Source => {
    const file = join(TOP, name)
    const text = readFileSync(file, 'utf8')
    const imports = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    )
    return { file, room: roomOf(file), text, imports }
  })

function roomOf(file: string): string {
  const [room = '', inside] = relative(TOP, file).split('/')
  return inside === undefined ? TOP : room
}

/** The rooms of the table, in its order: each may import from those above it. */
const ROOMS = [...CHAPTER.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, room = '', sentence = '']) => ({
  room,
  sentence,
}))

const ARROWS = new Map(ROOMS.map(({ room }) => [room, new Set<string>()]))
for (const { room, imports } of SOURCES) {
  for (const other of imports.map(roomOf)) if (other !== room) ARROWS.get(room)?.add(other)
}

/** Whether one room reaches another by way of a third. */
function reaches(from: string, to: string): boolean {
  return [...(ARROWS.get(from) ?? [])].some((next) => next !== to && (ARROWS.get(next)?.has(to) || reaches(next, to)))
}

/** The graph of the rooms, without the arrows that follow from others. */
function graph(): string {
  const arrows = ROOMS.toReversed().flatMap(({ room }) =>
    [...(ARROWS.get(room) ?? [])]
      .filter((other) => !reaches(room, other))
      .sort()
      .map((other) => `  ${room} --> ${other}`),
  )
  return ['```mermaid', 'graph TD', ...arrows, '```'].join('\n')
}

test('every room has a sentence in CONTRIBUTING.md, and every sentence a room', () => {
  expect(ROOMS.map(({ room }) => room).sort()).toEqual([...new Set(SOURCES.map(({ room }) => room))].sort())
  for (const { sentence } of ROOMS) expect(sentence).toMatch(/^[A-Z].*\.$/)
})

test('a room imports only from the rooms above it in the table', () => {
  const order = ROOMS.map(({ room }) => room)
  const upward = SOURCES.flatMap(({ file, room, imports }) =>
    imports.filter((path) => order.indexOf(roomOf(path)) > order.indexOf(room)).map((path) => `${file} > ${path}`),
  )
  expect(upward).toEqual([])
})

test('the graph in CONTRIBUTING.md is the one that the imports make', () => {
  const drawn = /```mermaid\n[\s\S]*?```/.exec(CHAPTER)?.[0]
  expect(drawn, `CONTRIBUTING.md is to say:\n${graph()}`).toBe(graph())
})

test('what the service is made of knows neither HTTP nor zod', () => {
  const order = ROOMS.map(({ room }) => room)
  const below = SOURCES.filter(({ room }) => room !== 'wire' && order.indexOf(room) < order.indexOf('life'))
  const bad = below.filter(({ text }) => /from '(zod|hono|@hono|node:http)/.test(text))
  expect(below.length).toBeGreaterThan(50)
  expect(bad.map(({ file }) => file)).toEqual([])
})

const LONGEST = 400
/** Tables that are longer, each with the reason why it is one file. */
const LONG_TABLES: Record<string, string> = {}

test('a file has at most 400 lines, but for tables that say why', () => {
  const long = SOURCES.filter(({ text }) => text.trimEnd().split('\n').length > LONGEST)
  expect(long.map(({ file }) => file).sort()).toEqual(Object.keys(LONG_TABLES).sort())
})

/** About twenty files are seen at a glance; what is more goes to a second level. */
const MOST_FILES = 24

test('a folder has about twenty files at most', () => {
  const folders = [...new Set(SOURCES.map(({ file }) => dirname(file)))]
  const filesIn = (folder: string) => SOURCES.filter(({ file }) => dirname(file) === folder).length
  expect(folders.filter((folder) => filesIn(folder) > MOST_FILES)).toEqual([])
})
