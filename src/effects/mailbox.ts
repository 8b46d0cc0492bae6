import { waitFor } from '../model/clock.ts'
import type { Composed } from '../model/events/fields.ts'
import { toShownTime } from '../model/events/times.ts'
import type { Caller, StoredCalendar, StoredMail, WorldData } from '../model/worldData.ts'
import type { AclRule } from '../schema/aclRule.ts'
import type { Mail, MailKind } from '../schema/mail.ts'
import { addressOf } from '../schema/values/address.ts'
import { without } from '../schema/values/json.ts'

export const SERVICE = 'calendar-notification@google.com'

/** `sendNotifications: true` is the older form of `all` (behaviour 1.21, 7.5). */
export type MailParams = {
  sendUpdates?: 'all' | 'externalOnly' | 'none' | undefined
  sendNotifications?: boolean | undefined
}

const MAX_MAILS = 10_000

/**
 * Sends nothing if sender and recipient are the same. Above `MAX_MAILS`, the oldest mail is removed. The times of the event
 * are in the zone of the recipient, or, if that is no account, of the event.
 */
export function sendMail(world: WorldData, mail: Omit<StoredMail, 'sentAt'>, event?: Composed): void {
  if (mail.to === mail.from) return
  const sentAt = new Date(world.clock.now()).toISOString()
  world.mail.set((world.mail.last ?? 0) + 1, { ...mail, ...(event && partsOf(world, event, mail.to)), sentAt })
  if (world.mail.size > MAX_MAILS) world.mail.delete(world.mail.first ?? 0)
  for (const onMail of world.mailListeners ?? []) onMail()
}

function partsOf(world: WorldData, event: Composed, to: string) {
  const { id: eventId, summary, start, end, location } = event
  const zone = world.accounts.get(to)?.timeZone ?? start.timeZone ?? 'UTC'
  return {
    eventId,
    ...(summary && { summary }),
    ...{ start: toShownTime(start, zone), end: toShownTime(end, zone) },
    ...(location && { location }),
    event,
  }
}

/** The latest last; with `address`, in upper or lower case, those to it. */
export const listMail = (world: WorldData, address?: string): Mail[] =>
  world.mail
    .entries()
    .filter(([, { to }]) => address === undefined || to === addressOf(address))
    .map(([id, mail]) => ({ id, ...without(mail, 'event') }))

export function clearMail({ mail }: WorldData): number {
  const { size } = mail
  mail.clear()
  return size
}

/** The direct members of a group, or the address itself, in lower case. */
export const expandGroup = (world: WorldData, address: string): readonly string[] =>
  world.groups.get(address)?.members ?? [address]

/** Decides by the account's list entry (behaviour 15.3), which may be removed. */
export function wantsNotification(world: WorldData, account: string, calendarId: string, kind: MailKind): boolean {
  const { notificationSettings } = world.lists.get(account)?.get(calendarId) ?? {}
  return notificationSettings?.notifications?.some(({ type }) => type === kind) ?? false
}

/**
 * Mails the user, or each member of the group, that has the role. The role `none` and the scopes of a domain and of the public
 * are not mailed (behaviour 7.5).
 */
export function mailRule(
  world: WorldData,
  calendar: StoredCalendar,
  { email = '' }: Caller,
  { scope, role }: AclRule,
): void {
  if (role === 'none' || !scope.value || (scope.type !== 'user' && scope.type !== 'group')) return
  for (const to of expandGroup(world, scope.value)) {
    sendMail(world, { from: email, to, kind: 'acl', calendarId: calendar.id, summary: calendar.summary })
  }
}

/**
 * Resolves to the first `count` expected mails, earlier ones included, or to their number after the timeout (real
 * milliseconds).
 */
export async function waitForMail(
  world: WorldData,
  { to, isExpected }: { to: string | undefined; isExpected: (mail: Mail) => boolean },
  count: number,
  { timeout = 5000, signal }: { timeout?: number | undefined; signal?: AbortSignal | undefined },
): Promise<Mail[] | number> {
  const listWanted = () => listMail(world, to).filter(isExpected)
  const find = () => {
    const found = listWanted()
    return found.length >= count ? found.slice(0, count) : undefined
  }
  const listen = (check: () => void) => {
    world.mailListeners ??= new Set()
    const listeners = world.mailListeners
    // The transaction that sends ends before the next microtask.
    const onMail = () => queueMicrotask(check)
    listeners.add(onMail)
    return () => listeners.delete(onMail)
  }
  return (await waitFor(find, listen, { timeout, signal })) ?? listWanted().length
}
