export const RESOURCES = ['acl', 'calendarList', 'events', 'settings'] as const
export type Resource = (typeof RESOURCES)[number]

/** A watch of one account's on one of the lists that it may read. A channel that was stopped stays as a record. */
export type Channel = {
  readonly id: string
  readonly account: string
  readonly resource: Resource
  readonly calendarId?: string
  /** The types of event whose changes are told of; every type, where none are named. */
  readonly eventTypes?: readonly string[]
  readonly resourceId: string
  readonly resourceUri: string
  /** The world in which it was opened, which `resourceUri` names: a fork has the channels of its origin. */
  readonly originWorld?: string
  readonly address: string
  readonly token?: string
  /** Milliseconds since the epoch. */
  readonly expiration: number
  readonly stopped?: true
}

/** How many messages were made for a channel, and the number of the last of them. */
export type MessageCount = { readonly made: number; readonly last: number }
