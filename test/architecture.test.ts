import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What each folder may import from. Everything else is an import that points up. */
const BELOW: Record<string, string[]> = {
  recurrence: [],
  wire: [],
  world: ['recurrence', 'wire'],
  http: ['recurrence', 'wire', 'world'],
  api: ['recurrence', 'wire', 'world', 'http'],
  oauth: ['wire', 'world', 'http'],
  control: ['recurrence', 'wire', 'world', 'http', 'oauth'],
  cli: ['wire', 'world', 'http'],
}

const sourcesIn = (folder: string) =>
  readdirSync(`src/${folder}`).map((file) => ({
    file: `${folder}/${file}`,
    text: readFileSync(`src/${folder}/${file}`, 'utf8'),
  }))

test('every folder of the house has its place in the order', () => {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(BELOW).sort())
})

test.each(Object.entries(BELOW))('src/%s imports only from below', (folder, below) => {
  const imported = sourcesIn(folder).flatMap(({ text }) =>
    [...text.matchAll(/(?:from|import\()\s*'\.\.\/(\w+)\//g)].map(([, name]) => name),
  )
  expect(below).toEqual(expect.arrayContaining([...new Set(imported)]))
})

test('the world knows neither HTTP nor zod', () => {
  const bad = sourcesIn('world').filter(({ text }) => /from '(zod|hono|node:http)/.test(text))
  expect(bad.map(({ file }) => file)).toEqual([])
})

/** The two places that time and chance come in through. */
const OWNERS = ['world/clock.ts', 'world/ids.ts']
const CHANCE = /\b(Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(|setTimeout\(|setInterval\()/

test('time and chance come in through the clock and the source of ids alone', () => {
  const sources = Object.keys(BELOW).flatMap(sourcesIn)
  const taking = sources.filter(({ file, text }) => CHANCE.test(text) && !OWNERS.includes(file))
  expect(taking.map(({ file }) => file)).toEqual([])
  expect(sources.filter(({ file }) => OWNERS.includes(file))).toHaveLength(OWNERS.length)
})
