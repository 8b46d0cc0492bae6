import { isOrganizers } from '../model/attendees.ts'
import { meetingPart } from '../model/fields.ts'
import { same, without } from '../store/merge.ts'
import type { Event } from '../wire/event.ts'
import type { MailKind } from '../wire/mail.ts'
import { type Access, isPrimary } from '../world/access.ts'
import { asksFor, behind, type Sending, sendMail, wants } from '../world/mail.ts'
import { watchersOf } from '../world/watchers.ts'
import type { World } from '../world/world.ts'
import { answerOf, isRoom, meetingBehind } from './guests.ts'

/** A write as the organizer's event shows it; `foreign` where the organizer has no calendar here, and the copy shows it. */
type Written = { before: Event | undefined; after: Event; guest: string | undefined; foreign: boolean }
type Notice = { to: string; kind: MailKind }

/**
 * Does a write, and mails what became of the event to those that the request wants told (behaviour 7.5): its guests, and
 * the organizer where a guest wrote. A write that changes nothing for anybody but its own copy is mailed to nobody.
 */
export function mailing(access: Access, current: Event | undefined, sending: Sending, write: () => Event): Event {
  const { mail } = access.world
  const last = mail.last ?? 0
  const saved = mailed(access, current, sending, write)
  const told: (string | undefined)[] = []
  for (let number = last + 1; number <= (mail.last ?? 0); number++) told.push(mail.get(number)?.to)
  tellWatchers(access, current, saved, told)
  return saved
}

/** What a write is to whoever watches its calendar; a move is nothing to them. */
function changeOf(before: Event | undefined, after: Event): MailKind | undefined {
  const is = after.status !== 'cancelled'
  if (before && before.organizer?.email !== after.organizer?.email) return undefined
  if (!before || before.status === 'cancelled') return is ? 'eventCreation' : undefined
  if (!is) return 'eventCancellation'
  return same(wordsOf(before, undefined), wordsOf(after, undefined)) ? undefined : 'eventChange'
}

/**
 * Tells those whose lists ask for it what somebody else did on a calendar, whatever the request says of its guests
 * (behaviour 7.24). Who was mailed as a guest hears of it once.
 */
function tellWatchers(
  { world, calendar, caller }: Access,
  before: Event | undefined,
  after: Event,
  told: readonly (string | undefined)[],
): void {
  const kind = changeOf(before, after)
  if (!kind) return
  const { id: calendarId } = calendar
  const event = { calendarId, eventId: after.id, ...(after.summary && { summary: after.summary }) }
  for (const to of watchersOf(world, calendarId)) {
    if (told.includes(to) || !asksFor(world, to, calendarId, kind)) continue
    sendMail(world, { from: caller.email ?? '', to, kind, ...event })
  }
}

function mailed(access: Access, current: Event | undefined, sending: Sending, write: () => Event): Event {
  const { world, calendar, caller } = access
  const { sendUpdates = sending.sendNotifications ? 'all' : 'none' } = sending
  const before = current && meetingBehind(world, calendar.id, current).event
  const saved = write()
  if (sendUpdates === 'none' || saved.privateCopy) return saved // behaviour 7.3: a private copy tells nobody
  const after = meetingBehind(world, calendar.id, saved).event
  const guest = isOrganizers(current ?? saved, calendar.id) ? undefined : calendar.id
  const written = { before, after, guest, foreign: !world.calendars.get(after.organizer?.email ?? '') }
  for (const { to, kind } of noticesOf(world, written)) {
    if (sendUpdates === 'externalOnly' && isPrimary(world, to)) continue
    sendMail(world, { from: caller.email ?? '', to, kind, ...about(written, kind, calendar.id) })
  }
  return saved
}

function about({ after, guest, foreign }: Written, kind: MailKind, calendarId: string) {
  const answer = after.attendees?.find(({ email }) => email === guest)?.responseStatus
  return {
    calendarId: foreign ? calendarId : (after.organizer?.email ?? calendarId),
    eventId: after.id,
    ...(after.summary && { summary: after.summary }),
    ...(kind === 'eventResponse' && { responseStatus: after.status === 'cancelled' ? 'declined' : answer }),
  }
}

function noticesOf(world: World, written: Written): Notice[] {
  const { before, after, guest, foreign } = written
  const replied = guest !== undefined && isAnswered(written, guest)
  const response = replied ? toOrganizer(world, after, 'eventResponse') : []
  if (foreign) return response // what else a guest writes stays on their copy
  const [was, is] = [invitedTo(world, before), invitedTo(world, after)]
  const changed = before !== undefined && !same(wordsOf(before, guest), wordsOf(after, guest))
  const gone = was.filter((to) => !is.includes(to) && to !== after.organizer?.email)
  return [
    ...response,
    ...(changed && guest ? toOrganizer(world, after, 'eventChange') : []),
    ...is.filter((to) => !was.includes(to)).flatMap(notice(world, 'eventCreation')),
    ...(changed ? is.filter((to) => was.includes(to)).flatMap(notice(world, 'eventChange')) : []),
    ...gone.flatMap(notice(world, 'eventCancellation')),
  ]
}

const notice =
  (world: World, kind: MailKind) =>
  (to: string): Notice[] =>
    wants(world, to, kind) ? [{ to, kind }] : []

/** Whether a guest's answer has changed. Deleting the copy of an organizer elsewhere is an answer too. */
function isAnswered({ before, after, foreign }: Written, guest: string): boolean {
  const answer = (event: Event | undefined) => {
    const attendee = event?.attendees?.find(({ email }) => email === guest)
    return attendee && answerOf(attendee)
  }
  const left = foreign && after.status === 'cancelled' && before?.status !== 'cancelled'
  return left || !same([answer(before)], [answer(after)])
}

/** Whoever is told what happens on the organizing calendar: the accounts whose lists ask for it (behaviour 15.3). */
function toOrganizer(world: World, { organizer }: Event, kind: MailKind): Notice[] {
  const address = organizer?.email
  if (!address) return []
  if (!world.calendars.get(address)) return [{ to: address, kind }]
  const accounts = [...world.accounts.values()].map(({ email }) => email)
  return accounts.filter((email) => asksFor(world, email, address, kind)).map((to) => ({ to, kind }))
}

/** Who is asked to come: those who attend, and the members of groups among them, but for the organizer. Rooms read no mail. */
function invitedTo(world: World, event: Event | undefined): string[] {
  if (!event || event.status === 'cancelled') return []
  const invited = (event.attendees ?? []).flatMap(({ email }) => behind(world, email))
  return [...new Set(invited)].filter((email) => email !== event.organizer?.email && !isRoom(world, email))
}

/** The part of an event whose change is mailed: organizer, guests and the meeting's fields, without answers. */
function wordsOf(event: Event, guest: string | undefined): object {
  const { attendees = [], extendedProperties, ...words } = without(meetingPart(event), 'sequence')
  const invited = attendees
    .filter(({ email }) => email !== guest)
    .map(({ email, optional }) => [email, optional ?? false])
  return { ...words, shared: extendedProperties?.shared, organizer: event.organizer?.email, invited }
}
