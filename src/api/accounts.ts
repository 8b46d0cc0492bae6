import { commitWrites } from '../effects/commit.ts'
import { copyFor, guestsOf } from '../effects/guests.ts'
import { WritePlan } from '../effects/propagate.ts'
import { isOrganizerCopy } from '../model/attendees.ts'
import { refuse } from '../wire/refusals.ts'
import { addressOf } from '../wire/values/address.ts'
import { groupsOf } from '../world/access.ts'
import { addSettings } from '../world/settings.ts'
import { type Account, invitationsOf, type World } from '../world/world.ts'
import { addOwnerRule } from './acl/rules.ts'
import { addEntry } from './calendarList/entry.ts'
import { addCalendar } from './calendars/calendars.ts'

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

/** Gives new accounts copies of the events that they, or groups they are in, were invited to before they existed. */
function findInvitations(world: World, emails: ReadonlySet<string>): void {
  const plan = new WritePlan(world)
  for (const email of emails) {
    for (const address of [email, ...groupsOf(world, email)]) {
      for (const { calendarId, eventId } of [...invitationsOf(world, address)]) {
        const event = world.events.of(calendarId).get(eventId)
        if (!event || !isOrganizerCopy(event, calendarId) || !guestsOf(world, event).includes(email)) continue
        for (const copy of copyFor(plan, email, event)) plan.put(copy.calendarId, copy.event)
      }
    }
  }
  commitWrites(plan)
}

export type AccountDraft = {
  email: string
  displayName?: string | undefined
  timeZone?: string | undefined
  kind?: Account['kind'] | undefined
  showDisplayName?: boolean | undefined
}

/** What is said of an account beside its address and its zone. */
export const saidOf = ({ displayName, kind, showDisplayName }: Omit<AccountDraft, 'email'>) => ({
  ...(displayName && { displayName }),
  ...(kind && { kind }),
  ...(showDisplayName && { showDisplayName }),
})

/** A person (or a room) with a primary calendar of their own, which bears their address. An account that exists stays. */
export function addAccount(world: World, draft: AccountDraft): Account {
  return world.accounts.get(addressOf(draft.email)) ?? addAccounts(world, [draft])[0] ?? refuse('notFound')
}

/** The same for many. */
export function addAccounts(world: World, drafts: readonly AccountDraft[]): Account[] {
  const before = world.accounts.size
  const emails = new Set<string>()
  const accounts = drafts.map((draft) => {
    const email = addressOf(draft.email)
    const known = world.accounts.get(email)
    if (known) return known
    emails.add(email)
    return openAccount(world, email, draft)
  })
  // Nobody was invited before there was anybody.
  if (before > 0) findInvitations(world, emails)
  return accounts
}

function openAccount(world: World, email: string, { timeZone = 'UTC', ...said }: AccountDraft): Account {
  const account = world.accounts.put(email, () => ({ email, ...saidOf(said), timeZone }))
  addSettings(world, email, { timezone: timeZone, kind: said.kind })
  addCalendar(world, { id: email, summary: email, timeZone })
  addOwnerRule(world, email, email)
  addEntry(world, email, { id: email, ...PRIMARY_ENTRY })
  return account
}
