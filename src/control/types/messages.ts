import type { MessageFilter, NextMessages, Notification } from '../../effects/push/notifications.ts'
import type { Mail } from '../../schema/mail.ts'

/** The expected fields of a mail: values or matchers. */
export type ExpectedMail = { readonly [N in keyof Mail]?: unknown }

/** The mails that the service would have sent. */
export interface FakeMail {
  /** Returns the mails, the latest last: all, or those to one address. They have the event as it was when they were sent. */
  (to?: string): Mail[]
  /**
   * Resolves to a mail as a message (RFC 5322), with its text and, if it is about an event, an iCalendar part. Rejects with a
   * RangeError for an unknown id.
   */
  eml(id: number): Promise<string>
  /**
   * Waits until `count` mails to an address were sent, earlier ones included, and returns them. Rejects after `timeout` in
   * real time; the default is five seconds.
   */
  until(to: string, count?: number, options?: { where?: ExpectedMail } & WaitOptions): Promise<Mail[]>
}

/** The maximum wait in real time: milliseconds, or text such as `5s`, at most a minute. */
export type WaitOptions = { timeout?: string | number | undefined }

/** The push messages of a world: their outcomes, and rules for the next ones. */
export interface FakeNotifications {
  /** Returns the latest messages, the oldest first. */
  list(which?: MessageFilter): Notification[]
  /** Waits until every pending message is answered, except those that are held or wait for the clock. */
  settled(options?: WaitOptions): Promise<void>
  /** Waits until so many messages of a channel are delivered, including its `sync`, and returns them. */
  until(channelId: string, count: number, options?: WaitOptions): Promise<Notification[]>
  /** Holds the messages of a channel, or of all channels, until they are released. */
  hold(channelId?: string): void
  /** Sends the held messages of a channel, or of all channels. */
  release(channelId?: string): void
  /** Drops the next message, or the next `times` messages. */
  drop(next?: NextMessages): void
  /** Sends the next message, or each of the next `times` messages, twice. */
  duplicate(next?: NextMessages): void
  /** Delays the next message, or each of the next `times` messages, by the world's clock. */
  delay(by: string | number, next?: NextMessages): void
  /** Collects the next two messages, or the next `times`, and sends the last one first. */
  reorder(next?: NextMessages): void
  /** Sends a message again. Throws a RangeError for an unknown id. */
  replay(id: number): Notification
}
