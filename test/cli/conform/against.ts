import type { Fetch } from '../../../src/cli/conform/retryingFetch.ts'
import { type RunOptions, run } from '../../../src/cli/conform/run.ts'
import { GROUPS } from '../../../src/cli/conform/scenarios/index.ts'
import { createFakeCalendar } from '../../../src/index.ts'
import { ALICE, BOB } from '../../support/calendar.ts'

export const EVERYTHING = new Set(['primary', 'guest'] as const)

/** Puts the statements to a fake of two accounts, in process; `through` is what stands between. */
export async function against(wanted: Partial<RunOptions> = {}, through: (fetch: Fetch) => Fetch = (fetch) => fetch) {
  // Two of Workspace, which may have every type of event.
  const accounts = [ALICE, BOB].map((email) => ({ email, kind: 'workspace' as const, timeZone: 'Europe/Berlin' }))
  const fake = createFakeCalendar({ seed: { accounts } })
  const target = {
    fetch: through((input, init) => fake.fetch(input, init)),
    baseUrl: 'http://fake-calendar.localhost/calendar/v3',
    tokens: { owner: ALICE, guest: BOB },
  }
  try {
    const before = JSON.stringify(await listed(fake.fetch))
    const result = await run({ groups: GROUPS, permissions: EVERYTHING, target, ...wanted })
    return { ...result, before, after: JSON.stringify(await listed(fake.fetch)) }
  } finally {
    await fake.close()
  }
}

/** What an account has on its list and on its calendar: what a run leaves as it was. */
async function listed(fetch: Fetch): Promise<string[]> {
  const texts = []
  for (const path of [
    'users/me/calendarList?fields=items(id,summary)',
    'calendars/primary/events?fields=items(id,status)',
  ])
    for (const who of [ALICE, BOB]) {
      const headers = { Authorization: `Bearer ${who}` }
      texts.push(await (await fetch(`http://fake-calendar.localhost/calendar/v3/${path}`, { headers })).text())
    }
  return texts
}
