/** The lists that can be watched. */
export const RESOURCES = ['acl', 'calendarList', 'events', 'settings'] as const
export type Resource = (typeof RESOURCES)[number]

/** A push channel of an account on a list. The account could read it when the channel was opened. */
export type Channel = {
  readonly id: string
  /** The email of the account. */
  readonly account: string
  readonly resource: Resource
  /** The calendar of `acl` and `events`. */
  readonly calendarId?: string
  /** The event types whose changes send messages; without it all types. */
  readonly eventTypes?: readonly string[]
  readonly resourceId: string
  readonly resourceUri: string
  /** The world in which the channel was opened, which `resourceUri` names. A fork has the channels of its origin. */
  readonly originWorld?: string
  /** The URL that receives the messages. */
  readonly address: string
  /** The text that the client set to recognise its messages. */
  readonly token?: string
  /** Milliseconds since the epoch, on the world's clock. */
  readonly expiration: number
  /** A stopped or expired channel stays as a record. */
  readonly stopped?: true
}

/** The number of a channel's messages so far, and the message number of the last one, which grows by random steps. */
export type MessageCount = { readonly made: number; readonly last: number }
