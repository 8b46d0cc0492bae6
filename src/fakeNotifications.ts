import type { Next, Notification, Notifications, Which } from './push/notifications.ts'
import { durationOf } from './store/clock.ts'

/** The push messages of a world: what became of each, and what becomes of the next ones. */
export interface FakeNotifications {
  /** The latest messages, in the order in which they were made. */
  list(which?: Which): Notification[]
  /** Waits until all that was written has been told and answered, but for what waits for the clock or is held. */
  settled(options?: { timeout?: number }): Promise<void>
  /** Waits until a channel has had so many messages delivered, its `sync` among them, and returns them. */
  until(channelId: string, count: number, options?: { timeout?: number }): Promise<Notification[]>
  /** Keeps back the messages of a channel, or all, until they are released. */
  hold(channelId?: string): void
  release(channelId?: string): void
  /** Loses the next message, or the next few. */
  drop(next?: Next): void
  /** Sends the next message, or each of the next few, twice. */
  duplicate(next?: Next): void
  /** Sends the next message, or each of the next few, later by the world's clock. */
  delay(by: string | number, next?: Next): void
  /** Gathers the next two messages, or more, and sends them last first. */
  reorder(next?: Next): void
  /** Sends a message once more. */
  replay(id: number): Notification
}

/** The same, over the notifications of the world as it is at each call. */
export function openNotifications(of: () => Notifications): FakeNotifications {
  return {
    list: (which) => of().list(which),
    async settled({ timeout } = {}) {
      if (!(await of().settled(timeout))) throw new Error('messages are still on their way')
    },
    async until(channelId, count, { timeout } = {}) {
      const met = await of().until(channelId, count, timeout)
      const delivered = of().list({ channelId, progress: 'delivered' })
      if (met) return delivered
      throw new Error(`channel ${channelId}: ${delivered.length} of ${count} messages were delivered in time`)
    },
    hold: (channelId) => of().hold(channelId),
    release: (channelId) => of().release(channelId),
    drop: (next) => of().drop(next),
    duplicate: (next) => of().duplicate(next),
    delay: (by, next) => of().delay(durationOf(by), next),
    reorder: (next) => of().reorder(next),
    replay: (id) => of().replay(id) ?? unknownMessage(id),
  }
}

function unknownMessage(id: number): never {
  throw new Error(`no message ${id}`)
}
