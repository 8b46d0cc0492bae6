import type { AclRule } from '../wire/aclRule.ts'
import type { Mail, MailKind } from '../wire/mail.ts'
import { addressOf } from '../wire/values/address.ts'
import { isPrimary } from './access.ts'
import type { Caller, StoredCalendar, World } from './world.ts'

/** Whom a write is mailed to. `sendNotifications` is the older word: true is all (behaviour 1.21, 7.5). */
export type SendUpdates = {
  sendUpdates?: 'all' | 'externalOnly' | 'none' | undefined
  sendNotifications?: boolean | undefined
}

/** How many mails a world keeps: the latest. */
const MOST = 10_000

/** Writes a mail to the outbox, but for one to whoever caused it. */
export function sendMail(world: World, mail: Omit<Mail, 'sentAt'>): void {
  if (mail.to === mail.from) return
  world.mail.set((world.mail.last ?? 0) + 1, { ...mail, sentAt: new Date(world.clock.now()).toISOString() })
  if (world.mail.size > MOST) world.mail.delete(world.mail.first ?? 0)
}

/** The mails in the outbox, the latest last; those to one address where it is given. */
export const mailTo = (world: World, address: string | undefined): Mail[] =>
  world.mail
    .values()
    .filter(({ to }) => address === undefined || to === addressOf(address))
    .map((mail) => ({ ...mail }))

/** The same mails, each with its number in the outbox. */
export const numberedMail = (world: World, address: string | undefined): (Mail & { id: number })[] =>
  [...world.mail.entries()]
    .filter(([, { to }]) => address === undefined || to === addressOf(address))
    .map(([id, mail]) => ({ id, ...mail }))

/** Empties the outbox, and tells how many mails were in it. */
export function clearMail({ mail }: World): number {
  const { size } = mail
  mail.clear()
  return size
}

/** Whom mail to an address reaches: of a group, its members. */
export const expandGroup = (world: World, address: string): readonly string[] =>
  world.groups.get(address)?.members ?? [address]

/** Whether an account's list asks for mail of a kind about a calendar (behaviour 15.3). */
export function wantsNotification(world: World, account: string, calendarId: string, kind: MailKind): boolean {
  const { notificationSettings } = world.lists.get(account)?.get(calendarId) ?? {}
  return notificationSettings?.notifications?.some(({ type }) => type === kind) ?? false
}

/** An account gets the mail about its invitations that its own calendar's entry asks for; everybody else gets all. */
export const wantsInvitationMail = (world: World, address: string, kind: MailKind): boolean =>
  !isPrimary(world, address) || wantsNotification(world, address, address, kind)

/** Tells whom a calendar was shared with of it. Nobody is told of a removal (behaviour 7.5). */
export function mailRule(
  world: World,
  calendar: StoredCalendar,
  { email = '' }: Caller,
  { scope, role }: AclRule,
): void {
  if (role === 'none' || !scope.value || (scope.type !== 'user' && scope.type !== 'group')) return
  for (const to of expandGroup(world, scope.value)) {
    sendMail(world, { from: email, to, kind: 'acl', calendarId: calendar.id, summary: calendar.summary })
  }
}
