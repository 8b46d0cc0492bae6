import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Anonymizer } from '../../../src/cli/capture/anonymize.ts'
import { formatSeedJson } from '../../../src/cli/seeds/canonical.ts'
import { checkSeed } from '../../../src/cli/seeds/check.ts'
import type { Seed } from '../../../src/index.ts'
import { findSeedProblems } from '../../../src/seeds/problems.ts'
import { runs } from '../../support/seeded.ts'
import { anyWorld, listOriginals } from './anyWorld.ts'
import { captureWorld, openWorld, readView } from './world.ts'

const OPTIONS = { numRuns: runs(12) }

const emailsOf = ({ accounts = [] }: Seed): string[] => accounts.map(({ email }) => email)

/** Returns the starts and ends of all instances and busy times that an account sees, calendar by calendar. */
async function readTimes(seed: Seed, email: string) {
  const { calendars } = await readView(openWorld(seed), email)
  return Object.values(calendars)
    .map((calendar) => {
      const { instances, busy } = calendar as { instances: Record<string, unknown>[]; busy: object }
      const shown = instances.map(({ start, end, status, eventType }) =>
        JSON.stringify({ start, end, status, eventType }),
      )
      return JSON.stringify([shown.sort(), Object.values(busy)])
    })
    .sort()
}

const check = (seed: Seed) =>
  checkSeed({ name: 'world.json', bytes: Buffer.from(formatSeedJson(seed)), kind: 'json' }, [])

test('any world that is captured is taken back, shows the same instances, and is captured with the same bytes', async () => {
  const property = fc.asyncProperty(anyWorld, async (world) => {
    fc.pre(findSeedProblems(world).every(({ isWarning }) => isWarning))
    const [owner = ''] = emailsOf(world)
    const { seed, skipped } = await captureWorld(openWorld(world).fake, [owner])

    expect(skipped).toEqual([])
    expect(check(seed)).toHaveProperty('summary')
    expect(await readTimes(seed, owner)).toEqual(await readTimes(world, owner))
    expect(formatSeedJson((await captureWorld(openWorld(seed).fake, [owner])).seed)).toBe(formatSeedJson(seed))
  })
  await fc.assert(property, OPTIONS)
}, 120_000)

test('any world that is captured with stand-ins is taken back, shows the same instances, and has no original', async () => {
  const property = fc.asyncProperty(anyWorld, async (world) => {
    fc.pre(findSeedProblems(world).every(({ isWarning }) => isWarning))
    const { seed } = await captureWorld(openWorld(world).fake, emailsOf(world))
    const standIn = new Anonymizer(seed).replaceTexts(seed) as Seed
    const text = formatSeedJson(standIn).toLowerCase()
    const originals = listOriginals(seed)

    expect(originals.length).toBeGreaterThan(5)
    expect(originals.filter((one) => text.includes(one))).toEqual([])
    expect(text).not.toMatch(/zq|qq/)
    expect(check(standIn)).toHaveProperty('summary')
    for (const [nth, email] of emailsOf(seed).entries())
      expect(await readTimes(standIn, emailsOf(standIn)[nth] ?? '')).toEqual(await readTimes(seed, email))
  })
  await fc.assert(property, OPTIONS)
}, 120_000)
