import type { Caller, StoredCalendar, WorldData } from '../model/worldData.ts'
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

/** Sends nothing if sender and recipient are the same. Above `MAX_MAILS`, the oldest mail is removed. */
export function sendMail(world: WorldData, mail: Omit<Mail, 'sentAt'>): void {
  if (mail.to === mail.from) return
  world.mail.set((world.mail.last ?? 0) + 1, { ...mail, sentAt: new Date(world.clock.now()).toISOString() })
  if (world.mail.size > MAX_MAILS) world.mail.delete(world.mail.first ?? 0)
}

/** The latest last, each with its number; with `address`, in upper or lower case, those to it. */
export const numberedMail = (world: WorldData, address: string | undefined): (Mail & { id: number })[] =>
  world.mail
    .entries()
    .filter(([, { to }]) => address === undefined || to === addressOf(address))
    .map(([id, mail]) => ({ id, ...mail }))

export const mailTo = (world: WorldData, address: string | undefined): Mail[] =>
  numberedMail(world, address).map((mail) => without(mail, 'id'))

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
