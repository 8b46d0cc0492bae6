import type { AclRule } from '../wire/aclRule.ts'
import type { Event } from '../wire/event.ts'
import { type Access, isPrimary } from './access.ts'
import { isOrganizers } from './eventRecord.ts'
import type { StoredCalendar, World } from './world.ts'

/** Whom a write is mailed to. `sendNotifications` is the older word: true is all (behaviour 1, 7.5). */
export type Sending = {
  sendUpdates?: 'all' | 'externalOnly' | 'none' | undefined
  sendNotifications?: boolean | undefined
}

/** The kinds of notification that a list entry can switch (behaviour 3.5), and the notice of a shared calendar. */
export type MailKind = 'eventCreation' | 'eventChange' | 'eventCancellation' | 'eventResponse' | 'acl'

/** A mail that the service would have sent. Nothing is sent anywhere. */
export type Mail = {
  to: string
  kind: MailKind
  calendarId: string
  eventId?: string
  summary?: string
  sentAt: string
}

/** How many mails a world keeps: the latest. */
const MOST = 10_000

/** Mails what became of an event to those that the request wants it mailed to. */
export function mailGuests(
  { world, calendar, caller }: Access,
  before: Event | undefined,
  after: Event,
  sending: Sending,
): void {
  const { sendUpdates = sending.sendNotifications ? 'all' : 'none' } = sending
  if (sendUpdates === 'none' || before === after) return
  const post = (to: string, kind: MailKind) => {
    if (to === caller.email || !(sendUpdates === 'all' || isExternal(world, to))) return
    sendMail(world, {
      to,
      kind,
      calendarId: calendar.id,
      eventId: after.id,
      ...(after.summary && { summary: after.summary }),
    })
  }
  if (!isOrganizers(after, calendar.id))
    return void (after.organizer?.email && post(after.organizer.email, 'eventResponse'))
  const [was, is] = [before, after].map((event) => (event && event.status !== 'cancelled' ? addresses(event) : []))
  for (const email of is ?? []) post(email, was?.includes(email) ? 'eventChange' : 'eventCreation')
  for (const email of was ?? []) if (!is?.includes(email)) post(email, 'eventCancellation')
}

const addresses = ({ attendees = [] }: Event): string[] =>
  attendees.filter(({ organizer }) => !organizer).map(({ email }) => email)
const isExternal = (world: World, email: string): boolean => !isPrimary(world, email)

/** Tells whom a calendar was shared with of it. Nobody is told of a removal (behaviour 7.5). */
export function mailRule(
  world: World,
  calendar: StoredCalendar,
  { scope, role }: AclRule,
  sendNotifications = true,
): void {
  if (!sendNotifications || role === 'none' || !scope.value || (scope.type !== 'user' && scope.type !== 'group')) return
  sendMail(world, { to: scope.value, kind: 'acl', calendarId: calendar.id, summary: calendar.summary })
}

/** An account gets the kinds of mail that its own list asks for; everybody else gets all. */
function sendMail(world: World, mail: Omit<Mail, 'sentAt'>): void {
  const entry = world.lists.get(mail.to)?.get(mail.to)
  const wanted = entry?.notificationSettings?.notifications?.map(({ type }) => type) ?? []
  if (mail.kind !== 'acl' && isPrimary(world, mail.to) && !wanted.includes(mail.kind)) return
  world.mail.push({ ...mail, sentAt: new Date(world.clock.now()).toISOString() })
  if (world.mail.length > MOST) world.mail.splice(0, world.mail.length - MOST)
}
