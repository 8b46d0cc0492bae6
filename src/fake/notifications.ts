import type { Next, Notification, Which } from '../push/notifications.ts'

/** How long to wait, in real time: milliseconds, or text such as `5s`. At most a minute. */
export type Patience = { timeout?: string | number | undefined }

/** The push messages of a world: what became of each, and what becomes of the next ones. */
export interface FakeNotifications {
  /** The latest messages, in the order in which they were made. */
  list(which?: Which): Notification[]
  /** Waits until all that was written has been told and answered, but for what waits for the clock or is held. */
  settled(options?: Patience): Promise<void>
  /** Waits until a channel has had so many messages delivered, its `sync` among them, and returns them. */
  until(channelId: string, count: number, options?: Patience): Promise<Notification[]>
  /** Keeps back the messages of a channel, or all, until they are released. */
  hold(channelId?: string): void
  release(channelId?: string): void
  /** Loses the next message, or as many as `times` says. */
  drop(next?: Next): void
  /** Sends the next message twice, or each of as many as `times` says. */
  duplicate(next?: Next): void
  /** Sends the next message later by the world's clock, or each of as many as `times` says. */
  delay(by: string | number, next?: Next): void
  /** Gathers the next two messages, or as many as `times` says, and sends them last first. */
  reorder(next?: Next): void
  /** Sends a message once more. One that is not in the list throws a RangeError. */
  replay(id: number): Notification
}
