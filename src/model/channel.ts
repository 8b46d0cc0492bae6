export const RESOURCES = ['acl', 'calendarList', 'events', 'settings'] as const
export type Resource = (typeof RESOURCES)[number]

/** A channel of an account on a list that it may read. A stopped channel stays as a record. */
export type Channel = {
  readonly id: string
  readonly account: string
  readonly resource: Resource
  readonly calendarId?: string
  /** The event types whose changes send messages; without it all types. */
  readonly eventTypes?: readonly string[]
  readonly resourceId: string
  readonly resourceUri: string
  /** The world in which the channel was opened, which `resourceUri` names. A fork has the channels of its origin. */
  readonly originWorld?: string
  readonly address: string
  readonly token?: string
  /** Milliseconds since the epoch. */
  readonly expiration: number
  readonly stopped?: true
}

/** The count of a channel's messages, and the number of the last one. */
export type MessageCount = { readonly made: number; readonly last: number }
