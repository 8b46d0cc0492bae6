import type { ChangeLog } from '../db/changeLog.ts'
import { Collection, type InitialRecords } from '../db/collection.ts'
import type { LazyTable } from '../db/lazyTable.ts'
import type { Store } from '../db/store.ts'
import type { Tuple } from '../db/tree.ts'
import type { CalendarListEntry } from '../schema/calendarListEntry.ts'

/**
 * The uses of a calendar list entry that writes to the calendar look up: `entry` is any entry that is not removed,
 * `notifications` one that asks for mail about changes, `reminders` one whose default reminders include mail.
 */
export type Subscription = 'entry' | 'notifications' | 'reminders'

/** Returns, for each use, true if an entry has it. Call it only with an entry that is not removed. */
export const IS_SUBSCRIBED: Readonly<Record<Subscription, (entry: CalendarListEntry) => boolean>> = {
  entry: () => true,
  notifications: ({ notificationSettings }) =>
    notificationSettings?.notifications?.some(({ type }) => type !== 'agenda') ?? false,
  reminders: ({ defaultReminders }) => defaultReminders.some(({ method }) => method === 'email'),
}
const SUBSCRIPTIONS = Object.keys(IS_SUBSCRIBED) as Subscription[]

/**
 * The index of subscribers: use, calendar id and account's email, for each entry that is not the account's own
 * calendar.
 */
export type SubscriberIndex = LazyTable<Tuple, true>

/** The calendar list of one account. Its writes maintain the index of subscribers. */
export class CalendarListCollection extends Collection<CalendarListEntry> {
  readonly #account: string
  readonly #subscribers: SubscriberIndex

  constructor(
    store: Store,
    changes: ChangeLog,
    name: string,
    account: string,
    subscribers: SubscriberIndex,
    initial: InitialRecords<CalendarListEntry>,
  ) {
    super(store, changes, name, undefined, initial)
    this.#account = account
    this.#subscribers = subscribers
  }

  protected override afterWrite(entry: CalendarListEntry): void {
    // An account's own calendar is not in the index, because its entry may be an initial record.
    if (entry.id === this.#account) return
    for (const subscription of SUBSCRIPTIONS) {
      const key = [subscription, entry.id, this.#account]
      if (!entry.deleted && IS_SUBSCRIBED[subscription](entry)) this.#subscribers.set(key, true)
      else this.#subscribers.delete(key)
    }
  }
}
