import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkedSeed } from '../life/checkedSeed.ts'
import { SeedError } from '../life/seed.ts'
import type { Seed } from '../wire/seed.ts'
import { CommandError } from './commandError.ts'
import { jsonFault } from './jsonFault.ts'

const UNREADABLE: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
}

/** The seed in a file. `name` may also be one of the fixtures, where there is no file of that name. */
export function readSeed(name: string, fixtures: URL): Seed {
  try {
    return checkedSeed(parsed(textOf(name, fixtures)))
  } catch (error) {
    throw error instanceof SeedError ? new CommandError(`${name}: ${error.message}`) : error
  }
}

function textOf(name: string, fixtures: URL): string {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const fixture = code === 'ENOENT' && /^[\w-]+$/.test(name) ? fixtureOf(name, fixtures) : undefined
    if (fixture !== undefined) return fixture
    throw new CommandError(`${name}: cannot read the seed: ${UNREADABLE[code] ?? code}`)
  }
}

function fixtureOf(name: string, fixtures: URL): string | undefined {
  try {
    return readFileSync(fileURLToPath(new URL(`${name}.json`, fixtures)), 'utf8')
  } catch {
    return undefined
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
