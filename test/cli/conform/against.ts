import type { Fetch } from '../../../src/cli/conform/retryingFetch.ts'
import { type RunOptions, runScenarios } from '../../../src/cli/conform/run.ts'
import { GROUPS } from '../../../src/cli/conform/scenarios/index.ts'
import { createFakeCalendar } from '../../../src/index.ts'
import { ALICE, BOB } from '../../support/calendar.ts'

export const EVERYTHING = new Set(['primary', 'guest', 'loopback'] as const)

type Through = (fetch: Fetch) => Fetch

/** Opens a fake with two accounts in process, as the target of a run. `through` can change requests and responses. */
export function openTarget(through: Through = (fetch) => fetch) {
  // Two Workspace accounts, which may have every event type.
  const accounts = [ALICE, BOB].map((email) => ({ email, kind: 'workspace' as const, timeZone: 'Europe/Berlin' }))
  const fake = createFakeCalendar({ seed: { accounts } })
  const target = {
    fetch: through((input, init) => fake.fetch(input, init)),
    baseUrl: 'http://fake-calendar.localhost/calendar/v3',
    tokens: { owner: ALICE, guest: BOB },
  }
  return { fake, target }
}

/** Runs the scenarios against a fake, and returns its calendars before and after. */
export async function runAgainst(options: Partial<RunOptions> = {}, through?: Through) {
  const { fake, target } = openTarget(through)
  try {
    const before = JSON.stringify(await listCalendarIds(fake.fetch))
    const result = await runScenarios({ groups: GROUPS, permissions: EVERYTHING, target, ...options })
    return { ...result, before, after: JSON.stringify(await listCalendarIds(fake.fetch)) }
  } finally {
    await fake.close()
  }
}

/** Returns the calendar list and the primary events of an account, which a run must leave unchanged. */
async function listCalendarIds(fetch: Fetch): Promise<string[]> {
  const texts = []
  for (const path of [
    'users/me/calendarList?fields=items(id,summary)',
    'calendars/primary/events?fields=items(id,status)',
  ])
    for (const account of [ALICE, BOB]) {
      const headers = { Authorization: `Bearer ${account}` }
      texts.push(await (await fetch(`http://fake-calendar.localhost/calendar/v3/${path}`, { headers })).text())
    }
  return texts
}
