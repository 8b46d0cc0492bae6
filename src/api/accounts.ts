import { commitWrites } from '../effects/write/commit.ts'
import { planEvent } from '../effects/write/plan.ts'
import { copyFor, guestsOf } from '../effects/write/propagate.ts'
import { WritePlan } from '../effects/write/writePlan.ts'
import { groupsOf } from '../model/access.ts'
import { ENTRY_REVISION_OFFSET, primaryEntry } from '../model/collections.ts'
import { isOrganizerCopy } from '../model/events/compose.ts'
import { type Account, invitationsOf, type StoredCalendar, type WorldData } from '../model/worldData.ts'
import { throwApiError } from '../schema/apiErrors.ts'
import type { CalendarListEntry } from '../schema/calendarListEntry.ts'
import { addressOf } from '../schema/values/address.ts'
import { isEqual, without } from '../schema/values/json.ts'
import { addEntry } from './calendarListEntry.ts'
import { addCalendar } from './calendars/calendars.ts'

/** Returns true if a primary calendar is as its new account has it: nobody has written it. */
export const isNewPrimaryCalendar = ({ email, timeZone }: Account, calendar: StoredCalendar): boolean =>
  isEqual(without(calendar, 'kind', 'etag'), { ...newCalendar(email, timeZone), conferenceProperties: NEW_CONFERENCES })

/** Returns true if the entry of a primary calendar is as a new account has it: nobody has written it. */
export const isNewPrimaryEntry = (email: string, entry: CalendarListEntry): boolean =>
  isEqual(without(entry, 'kind', 'etag'), primaryEntry(email))

const NEW_CONFERENCES = { allowedConferenceSolutionTypes: ['hangoutsMeet'] }
const newCalendar = (email: string, timeZone: string) => ({ id: email, summary: email, timeZone })

function findInvitations(world: WorldData, emails: ReadonlySet<string>): void {
  const plan = new WritePlan(world)
  for (const email of emails) {
    for (const address of [email, ...groupsOf(world, email)]) {
      for (const { calendarId, eventId } of [...invitationsOf(world, address)]) {
        const event = world.events.of(calendarId).get(eventId)
        if (!event || !isOrganizerCopy(event, calendarId) || !guestsOf(world, event).includes(email)) continue
        for (const copy of copyFor(plan, email, event)) planEvent(plan, copy.calendarId, copy.event)
      }
    }
  }
  commitWrites(plan)
}

export type AccountDraft = {
  email: string
  displayName?: string | undefined
  picture?: string | undefined
  timeZone?: string | undefined
  kind?: Account['kind'] | undefined
  showDisplayName?: boolean | undefined
  admin?: boolean | undefined
}

export const profileOf = ({ displayName, picture, kind, showDisplayName, admin }: Omit<AccountDraft, 'email'>) => ({
  ...(displayName && { displayName }),
  ...(picture && { picture }),
  ...(kind && { kind }),
  ...(showDisplayName && { showDisplayName }),
  ...(admin && { admin }),
})

export function addAccount(world: WorldData, draft: AccountDraft): Account {
  return world.accounts.get(addressOf(draft.email)) ?? addAccounts(world, [draft])[0] ?? throwApiError('notFound')
}

export function addAccounts(world: WorldData, drafts: readonly AccountDraft[]): Account[] {
  const before = world.accounts.size
  const emails = new Set<string>()
  const accounts = drafts.map((draft) => {
    const email = addressOf(draft.email)
    const known = world.accounts.get(email)
    if (known) return known
    emails.add(email)
    return openAccount(world, email, draft)
  })
  if (before > 0) findInvitations(world, emails)
  return accounts
}

function openAccount(world: WorldData, email: string, { timeZone = 'UTC', ...profile }: AccountDraft): Account {
  const account = world.accounts.put(email, () => ({ email, ...profileOf(profile), timeZone }))
  addCalendar(world, newCalendar(email, timeZone))
  if (world.changes.writes.isSilent)
    world.changes.reserve(world.accounts.records.ownRevision(email) + ENTRY_REVISION_OFFSET)
  else addEntry(world, email, primaryEntry(email))
  return account
}
