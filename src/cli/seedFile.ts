import { readFileSync } from 'node:fs'
import { checkedSeed } from '../life/checkedSeed.ts'
import { fixtureNames, fixtureOf, isFixture } from '../life/fixtures.ts'
import { SeedError } from '../life/seed.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { CommandError } from './commandError.ts'
import { jsonFault } from './jsonFault.ts'

const UNREADABLE: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
}

/** The seed in a file. `name` may also be one of the fixtures, where there is no file of that name. */
export function readSeed(name: string): Seed {
  try {
    const text = textOf(name)
    return text === undefined ? fixtureOf(name) : checkedSeed(parsed(text))
  } catch (error) {
    throw error instanceof SeedError ? new CommandError(`${name}: ${error.message}`) : error
  }
}

/** What a file holds, whatever it is. */
export function textIn(name: string, what: string): string {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new CommandError(`${name}: cannot read the ${what}: ${UNREADABLE[code] ?? code}`)
  }
}

/** What a file holds; nothing where there is none, and a fixture has its name. */
function textOf(name: string): string | undefined {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' && isFixture(name)) return undefined
    const others = code === 'ENOENT' && /^[\w-]+$/.test(name) ? `, and no such fixture (only ${fixtureNames()})` : ''
    throw new CommandError(`${name}: cannot read the seed: ${UNREADABLE[code] ?? code}${others}`)
  }
}

function parsed(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch {
    const { line, column, expected } = jsonFault(json) ?? { line: 1, column: 1, expected: 'a value' }
    throw new SeedError(`line ${line}, column ${column}: not JSON: expected ${expected}`)
  }
}
