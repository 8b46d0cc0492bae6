import type { Kit } from '../kit.ts'
import { scenario } from '../scenario.ts'

/** Suppresses mail. */
export const QUIET = { query: { sendUpdates: 'none' } }
/** Sends a request as the second account. */
export const GUEST = { as: 'guest' } as const

/**
 * Creates a meeting with the second account, and removes it and the guest's copy afterwards. Returns its id, the guest's
 * address, and the paths of the event (`mine`) and of the copy (`theirs`).
 */
export async function createMeeting(kit: Kit, body: object = {}) {
  const email = await kit.guestEmail()
  const { id } = await kit.createEvent({ summary: 'Meeting', attendees: [{ email }], ...body }, QUIET)
  const mine = `${await kit.eventsPath()}/${id}`
  const theirs = `/calendars/primary/events/${id}`
  kit.onCleanUp(async () => {
    await kit.delete(mine, QUIET)
    await kit.delete(theirs, { ...QUIET, ...GUEST })
  })
  return { id, email, mine, theirs }
}

/** Creates a scenario that needs the second account. */
export const guestScenario = (name: string, headings: string, run: (kit: Kit) => Promise<void>) =>
  scenario(name, headings, run, 'guest')
