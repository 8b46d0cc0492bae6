import { isOrganizers } from '../events/organizer.ts'
import { saveEvent } from '../meetings/record.ts'
import { copyFor, guestsOf } from '../meetings/sharing.ts'
import { addressOf } from '../store/address.ts'
import { groupsOf } from '../world/access.ts'
import { addSettings } from '../world/settings.ts'
import { type Account, invitationsOf, type World } from '../world/world.ts'
import { addOwnerRule } from './acl.ts'
import { addCalendar } from './calendars.ts'
import { addEntry } from './listEntry.ts'

/** What a new account's primary calendar reminds of and mails about (behaviour 15.3). */
const PRIMARY_ENTRY = {
  primary: true,
  selected: true,
  defaultReminders: [{ method: 'popup', minutes: 10 }],
  notificationSettings: {
    notifications: ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse'].map((type) => ({
      type,
      method: 'email',
    })),
  },
}

/** A new account finds the invitations that were sent to it, or to a group that it is in, before it was there. */
function findInvitations(world: World, email: string): void {
  for (const address of [email, ...groupsOf(world, email)]) {
    for (const { calendarId, eventId } of [...invitationsOf(world, address)]) {
      const event = world.events.of(calendarId).get(eventId)
      if (!event || !isOrganizers(event, calendarId) || !guestsOf(world, event).includes(email)) continue
      for (const { calendarId, copy } of copyFor(world, email, event)) saveEvent(world, { id: calendarId }, copy)
    }
  }
}

export type AccountDraft = { email: string; displayName?: string | undefined; timeZone?: string | undefined }

/** A person (or a room) with a primary calendar of their own, which bears their address. An account that exists stays. */
export function addAccount(world: World, { email: address, displayName, timeZone = 'UTC' }: AccountDraft): Account {
  const email = addressOf(address)
  const known = world.accounts.get(email)
  if (known) return known
  const account = world.accounts.put(email, () => ({ email, ...(displayName && { displayName }), timeZone }))
  addSettings(world, email, timeZone)
  addCalendar(world, { id: email, summary: email, timeZone })
  addOwnerRule(world, email, email)
  addEntry(world, email, { id: email, ...PRIMARY_ENTRY })
  findInvitations(world, email)
  return account
}
