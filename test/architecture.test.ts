import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(`src/${file}`, 'utf8') }))

/** The two places that time and chance come in through. */
const OWNERS = ['store/clock.ts', 'store/ids.ts']
const CHANCE = /\b(Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(|setTimeout\(|setInterval\()/

test('time and chance come in through the clock and the source of ids alone', () => {
  const taking = sources.filter(({ file, text }) => CHANCE.test(text) && !OWNERS.includes(file))
  expect(taking.map(({ file }) => file)).toEqual([])
  expect(sources.filter(({ file }) => OWNERS.includes(file))).toHaveLength(OWNERS.length)
})
