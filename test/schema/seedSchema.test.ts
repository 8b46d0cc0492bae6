import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedSchema } from '../../build/files.ts'
import type { Seed } from '../../src/index.ts'
import { FIXTURE_NAMES, requireFixture } from '../../src/seeds/fixtures.ts'
import { parseSeed } from '../../src/seeds/parseSeed.ts'
import { SeedError } from '../../src/seeds/seedError.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'
import { runs } from '../support/seeded.ts'
import team from '../support/team.json' with { type: 'json' }

type JsonSchema = {
  description?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  [key: string]: unknown
}

const schema = seedSchema() as JsonSchema
// Formats that the loader checks have patterns.
const isSeed = new Ajv({ validateFormats: false, allowUnionTypes: true }).compile(schema)

test.each(FIXTURE_NAMES)('the fixture %s matches the schema', (name) => {
  isSeed(requireFixture(name))

  expect(isSeed.errors).toBeNull()
})

test.each(FIXTURE_NAMES.filter((name) => name !== 'heavy'))(
  'the package has %s as JSON, which names the schema',
  (name) => {
    const seed = JSON.parse(readFileSync(new URL(`../../dist/fixtures/${name}.json`, import.meta.url), 'utf8'))
    isSeed(seed)

    expect(isSeed.errors).toBeNull()
    expect(seed.$schema).toBe('../seed.schema.json')
  },
)

test('the package contains the schema with descriptions of its fields', () => {
  const built = JSON.parse(readFileSync(new URL('../../dist/seed.schema.json', import.meta.url), 'utf8'))
  const account = schema.properties?.accounts?.items as JsonSchema

  expect(isDeepStrictEqual(built, schema), 'dist was built from another src: run npm run build').toBe(true)
  expect(schema.properties?.anchor?.description).toMatch(/^The reference date of the seed/)
  expect(account.properties?.kind?.description).toMatch(/^The kind of account/)
})

test('the state of a used world matches the schema', async () => {
  const { fake, as } = openCalendar({ seed: team as Seed, now: '2026-01-05T12:00:00Z' })
  const rename = { summary: 'Another' }
  expect((await as('alice@example.com').patch('/calendars/primary/events/mondaplan', rename)).status).toBe(200)
  isSeed(JSON.parse(JSON.stringify(fake.state())))

  expect(isSeed.errors).toBeNull()
})

test.each([
  ['an unknown name', { acounts: [] }],
  ['an unknown nested name', { calendars: [{ id: ALICE, events: [{ sumary: 'x' }] }] }],
  ['a value of another type', { accounts: {} }],
  ['a text instead of a list', { apiKeys: 'x' }],
  ['an invalid address', { accounts: [{ email: 'nobody' }] }],
  ['a value outside of the enum', { calendars: [{ id: ALICE, events: [{ status: 'maybe' }] }] }],
  ['a missing required field', { tokens: [{ token: 'x' }] }],
])('%s is refused by the schema and by the loader', (_, seed) => {
  expect(isSeed(seed)).toBe(false)
  expect(() => parseSeed(seed)).toThrow(SeedError)
})

type Json = Record<string, unknown>

/** Returns all places in some data: an object or a list, and a name or an index in it. */
function places(data: unknown): [inside: Json, name: string][] {
  if (typeof data !== 'object' || data === null) return []
  return Object.keys(data).flatMap((name) => [[data as Json, name] as [Json, string], ...places((data as Json)[name])])
}

/** Returns a seed with the first events of each calendar, because the whole seed is checked after each change. */
const shorten = ({ calendars = [], ...seed }: Seed): Seed => ({
  ...seed,
  calendars: calendars.map(({ events = [], ...calendar }) => ({ ...calendar, events: events.slice(0, 20) })),
})
const SEEDS = [team as Seed, ...['default', 'clinic', 'school'].map((name) => requireFixture(name))].map(shorten)
const PLACES = SEEDS.map(places)
const value = fc.oneof(fc.jsonValue(), fc.constantFrom('', 'x', 0, -1, 1.5, null, true, [], {}, [null], '2026-02-30'))
const change = fc.record({
  seed: fc.nat({ max: SEEDS.length - 1 }),
  at: fc.nat(),
  name: fc.option(fc.constantFrom('x', 'id', 'start', 'email'), { nil: undefined }),
  value,
})

test('the loader rejects each changed fixture that the schema rejects', () => {
  for (const seed of SEEDS) expect(() => parseSeed(seed)).not.toThrow()
  let refused = 0
  fc.assert(
    fc.property(change, ({ seed: nth, at, name, value }) => {
      const seed = SEEDS[nth]
      const all = PLACES[nth] ?? []
      const [inside, key] = all[at % all.length] ?? [seed as Json, 'x']
      const changed = Array.isArray(inside) ? key : (name ?? key)
      // The seed is changed in place and changed back, because a copy takes longer than the check.
      const before = Object.getOwnPropertyDescriptor(inside, changed)
      inside[changed] = value
      try {
        if (isSeed(seed)) return
        refused++
        expect(() => parseSeed(seed), `${key}: ${JSON.stringify(value)}`).toThrow(SeedError)
      } finally {
        if (before) Object.defineProperty(inside, changed, before)
        else delete inside[changed]
      }
    }),
    { numRuns: runs(300) },
  )
  expect(refused).toBeGreaterThan(20)
})
