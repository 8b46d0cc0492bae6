import { expect, test } from 'vitest'
import type { Fetch } from '../../../src/cli/conform/retryingFetch.ts'
import { GROUPS } from '../../../src/cli/conform/scenarios/index.ts'
import { runAgainst } from './against.ts'

/** Forwards requests, and records the writes. */
function createRecordingFetch(written: string[]) {
  return (fetch: Fetch): Fetch =>
    async (input, init) => {
      const { pathname } = new URL(input)
      if (init?.method !== 'GET') written.push(`${init?.method} ${pathname.replace('/calendar/v3', '')}`)
      return fetch(input, init)
    }
}

test('without consent, a run writes only to its own calendars', { timeout: 150_000 }, async () => {
  const written: string[] = []
  const { outcomes } = await runAgainst({ permissions: new Set() }, createRecordingFetch(written))
  const touching = GROUPS.flatMap(({ scenarios }) => scenarios).filter(({ needs }) => needs)
  const inconclusive = outcomes.filter(({ verdict }) => verdict === 'inconclusive')

  expect(inconclusive.map(({ scenario }) => scenario)).toEqual(touching.map(({ name }) => name))
  expect(
    inconclusive.every(({ how }) => /: (--yes permits it|only for a server on this machine)$/.test(how ?? '')),
  ).toBe(true)
  expect(written.filter((line) => /\/(primary|alice@|bob@)/i.test(line))).toEqual([])
})
