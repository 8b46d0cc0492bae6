import type { ChangeLog } from '../db/changeLog.ts'
import { Collection } from '../db/collection.ts'
import type { Records } from '../db/records.ts'
import type { Kind } from '../db/resource.ts'
import type { Store } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { hasDefaultUid } from '../model/ids.ts'
import { instanceNamed, isMaster, nextSpan, spanOf } from '../model/series.ts'
import { windowOf } from '../model/times.ts'
import { inOnePiece, instantText } from '../recurrence/written.ts'
import type { Event } from '../wire/event.ts'

/** Events as the store has to know them: a series and its changed instances are stamped together (behaviour 5.2). */
const EVENTS: Kind<Event> = {
  isGone: ({ status }) => status === 'cancelled',
  spanOf: (event) => (isMaster(event) ? undefined : spanOf(event)),
  nextOf: nextSpan,
  keysOf: (event) => (hasDefaultUid(event) ? [] : [['uid', event.iCalUID]]),
  groupOf: ({ recurringEventId }) => recurringEventId,
  stamped: (event, revision, touched) => ({ ...event, etag: etagOf(revision), updated: updatedAt(touched) }),
  redefines: (before, after) => (isMaster(before) || isMaster(after)) && !sameSeries(before, after),
}

/** The ids of the events with a UID which does not follow from their ids. */
export const idsWithUid = (records: Records<Event>, iCalUID: string): string[] => records.keyed(['uid', iCalUID])

/** Whether two versions of an event have the same instances. */
const sameSeries = (a: Event, b: Event): boolean =>
  a.status === b.status &&
  JSON.stringify([a.recurrence, a.start, a.end]) === JSON.stringify([b.recurrence, b.start, b.end])

/** The events of one calendar. */
export class EventCollection extends Collection<Event> {
  readonly #calendarId: string
  readonly #calendarWritten: () => Revision

  readonly #invite: (address: string, calendarId: string, eventId: string) => void

  constructor(
    store: Store,
    changes: ChangeLog,
    name: string,
    calendarId: string,
    calendarWritten: () => Revision,
    invite: (address: string, calendarId: string, eventId: string) => void,
  ) {
    super(store, changes, name, EVENTS)
    this.#invite = invite
    this.#calendarId = calendarId
    this.#calendarWritten = calendarWritten
  }

  protected override written({ id, organizer, attendees = [] }: Event): void {
    if (organizer?.email !== this.#calendarId) return
    for (const { email } of attendees) this.#invite(email, this.#calendarId, id)
  }

  /** The event, or the instance of a series, that an id names. */
  named(id: string): Event | undefined {
    return this.get(id) ?? instanceNamed(id, (masterId) => this.get(masterId), this.#calendarId)
  }

  /** The events that lie in a stretch of time, and are not cancelled: single ones, series, and changed instances. */
  *inWindow(from: number, to: number, zone: string): Generator<Event> {
    for (const { value } of this.records.inWindow(windowOf(from, to, zone))) yield value
  }

  /** The revision of the last write of an event; while there was none, of the calendar. */
  override get latest(): Revision {
    return super.latest || this.#calendarWritten()
  }

  /** The ids of the changed instances of a series. */
  exceptionsOf(masterId: string): readonly string[] {
    return this.records.membersOf(masterId)
  }
}

/** An event's etag is twice the microsecond of its write (behaviour 3.2.6). */
export const etagOf = (revision: Revision): string => inOnePiece('"', 2 * revision, '"')

/** What `updated` says of a write. */
export const updatedAt = (revision: Revision): string => instantText(Math.floor(revision / 1000))
