import { type Access, hasReadableEntry, isPrimary, subscribersOf } from '../model/access.ts'
import { isOrganizerCopy } from '../model/events/compose.ts'
import { type Composed, meetingPart, toCancelled } from '../model/events/fields.ts'
import type { WorldData } from '../model/worldData.ts'
import type { Event } from '../schema/event.ts'
import type { MailKind } from '../schema/mail.ts'
import { addressOf, isSameAddress } from '../schema/values/address.ts'
import { isEqual, without } from '../schema/values/json.ts'
import { expandGroup, type MailParams, sendMail, wantsNotification } from './mailbox.ts'
import { isRoom, responseOf } from './write/propagate.ts'
import type { PlacedEvent } from './write/writePlan.ts'

/** An event before and after a write, and the organizer's event of each. */
export type EventChange = {
  readonly before: Event | undefined
  readonly after: Event
  readonly meetingBefore: Composed | undefined
  readonly meeting: PlacedEvent
}

/**
 * A change of a meeting. `guest` is the calendar of the guest who wrote it. `isExternal` is true if the organizer has
 * no calendar in this world, so that the guest's copy is compared instead.
 */
type MeetingChange = {
  before: Composed | undefined
  after: Composed
  guest: string | undefined
  isExternal: boolean
}
type Notice = { to: string; kind: MailKind }

/** Nobody is mailed about a birthday (behaviour 14.57). */
export function sendMails(access: Access, change: EventChange, params: MailParams): void {
  if (change.after.eventType === 'birthday') return
  mailSubscribers(access, change, mailGuests(access, change, params))
}

/**
 * Mails a change to the guests that the request's `sendUpdates` selects, and to the organizer if a guest wrote
 * (behaviour 7.5). Sends nothing for a private copy, and for a change that only the writer's copy has. Returns the
 * recipients.
 */
function mailGuests(access: Access, written: EventChange, params: MailParams): string[] {
  const { before, after, meetingBefore } = written
  const { event: meeting } = written.meeting
  const { world, calendar, caller } = access
  const { sendUpdates = params.sendNotifications ? 'all' : 'none' } = params
  if (sendUpdates === 'none' || after.privateCopy) return [] // nobody is notified of a private copy (behaviour 7.3)
  const guest = isOrganizerCopy(before ?? after, calendar.id) ? undefined : calendar.id
  const isExternal = !world.calendars.get(meeting.organizer?.email ?? '')
  const change = { before: meetingBefore, after: meeting, guest, isExternal }
  const recipients: string[] = []
  for (const { to, kind } of listNotices(world, change)) {
    if (sendUpdates === 'externalOnly' && isPrimary(world, to)) continue
    sendMail(
      world,
      { from: caller.email ?? '', to, kind, ...contentOf(change, kind, calendar.id) },
      toSentEvent(change),
    )
    recipients.push(to)
  }
  return recipients
}

/**
 * Mails a change to the accounts whose calendar list asks for it, whatever the request says about guests (behaviour
 * 7.24). An account that was mailed as a guest gets no second mail.
 */
export function mailSubscribers(
  { world, calendar, caller }: Access,
  { before, after }: Pick<EventChange, 'before' | 'after'>,
  mailed: readonly string[],
): void {
  const kind = notificationKind(before, after)
  if (!kind) return
  const { id: calendarId } = calendar
  const event = toSentEvent({ before, after })
  for (const to of subscribersOf(world, calendarId, 'notifications')) {
    if (mailed.includes(to) || !wantsNotification(world, to, calendarId, kind)) continue
    if (hasReadableEntry(world, to, calendarId))
      sendMail(world, { from: caller.email ?? '', to, kind, calendarId }, event)
  }
}

function notificationKind(before: Event | undefined, after: Event): MailKind | undefined {
  const isLive = after.status !== 'cancelled'
  if (before && before.organizer?.email !== after.organizer?.email) return undefined
  if (!before || before.status === 'cancelled') return isLive ? 'eventCreation' : undefined
  if (!isLive) return 'eventCancellation'
  return isEqual(contentForGuests(before, undefined), contentForGuests(after, undefined)) ? undefined : 'eventChange'
}

/** A cancelled instance has no content of its own, so that of before it was cancelled is sent. */
const toSentEvent = ({ before, after }: Pick<MeetingChange, 'before' | 'after'>): Composed =>
  after.status === 'cancelled' && before ? toCancelled(before) : after

function contentOf({ after, guest, isExternal }: MeetingChange, kind: MailKind, calendarId: string) {
  const response = after.attendees?.find(({ email }) => isSameAddress(email, guest))?.responseStatus
  return {
    calendarId: isExternal ? calendarId : (after.organizer?.email ?? calendarId),
    ...(kind === 'eventResponse' && { responseStatus: after.status === 'cancelled' ? 'declined' : response }),
  }
}

function listNotices(world: WorldData, change: MeetingChange): Notice[] {
  const { before, after, guest, isExternal } = change
  const hasReplied = guest !== undefined && isResponse(change, guest)
  const response = hasReplied ? toOrganizer(world, after, 'eventResponse') : []
  if (isExternal) return response // everything else that a guest writes stays on their copy
  const [invitedBefore, invited] = [listAddressees(world, before), listAddressees(world, after)]
  const isChanged = before !== undefined && !isEqual(contentForGuests(before, guest), contentForGuests(after, guest))
  const added = invited.filter((to) => !invitedBefore.includes(to))
  const remaining = invited.filter((to) => invitedBefore.includes(to))
  const removed = invitedBefore.filter((to) => !invited.includes(to) && to !== after.organizer?.email)
  return [
    ...response,
    ...(isChanged && guest ? toOrganizer(world, after, 'eventChange') : []),
    ...toGuests(world, added, 'eventCreation'),
    ...(isChanged ? toGuests(world, remaining, 'eventChange') : []),
    ...toGuests(world, removed, 'eventCancellation'),
  ]
}

/** An account by its own entry, any other address always. */
const toGuests = (world: WorldData, guests: readonly string[], kind: MailKind): Notice[] =>
  guests.filter((to) => !isPrimary(world, to) || wantsNotification(world, to, to, kind)).map((to) => ({ to, kind }))

/**
 * Returns true if a guest's response has changed. Deleting the copy of an external organizer's event is a response too.
 */
function isResponse({ before, after, isExternal }: MeetingChange, guest: string): boolean {
  const response = (event: Composed | undefined) => {
    const attendee = event?.attendees?.find(({ email }) => isSameAddress(email, guest))
    return attendee && responseOf(attendee)
  }
  const isDeleted = isExternal && after.status === 'cancelled' && before?.status !== 'cancelled'
  return isDeleted || !isEqual([response(before)], [response(after)])
}

/** Only accounts whose calendar list asks for mail about the organizing calendar (behaviour 15.3). */
function toOrganizer(world: WorldData, { organizer }: Composed, kind: MailKind): Notice[] {
  const address = organizer?.email
  if (!address) return []
  if (!world.calendars.get(address)) return [{ to: address, kind }]
  const accounts = subscribersOf(world, address, 'notifications')
  return accounts.filter((email) => wantsNotification(world, email, address, kind)).map((to) => ({ to, kind }))
}

function listAddressees(world: WorldData, event: Composed | undefined): string[] {
  if (!event || event.status === 'cancelled') return []
  const invited = (event.attendees ?? []).flatMap(({ email }) => expandGroup(world, addressOf(email)))
  return [...new Set(invited)].filter((email) => !isSameAddress(email, event.organizer?.email) && !isRoom(world, email))
}

function contentForGuests(event: Composed, guest: string | undefined): object {
  const { attendees = [], extendedProperties, ...content } = without(meetingPart(event), 'sequence')
  const invited = attendees.flatMap(({ email, optional = false }) => {
    const address = addressOf(email)
    return address === guest ? [] : [[address, optional]]
  })
  return { ...content, shared: extendedProperties?.shared, organizer: event.organizer?.email, invited }
}
