export const RESOURCES = ['acl', 'calendarList', 'events', 'settings'] as const
export type Resource = (typeof RESOURCES)[number]

/** The account could read the list when the channel was opened. */
export type Channel = {
  readonly id: string
  readonly account: string
  readonly resource: Resource
  readonly calendarId?: string
  readonly eventTypes?: readonly string[]
  readonly resourceId: string
  readonly resourceUri: string
  readonly originWorld?: string
  readonly address: string
  readonly token?: string
  /** Milliseconds since the epoch, on the world's clock. */
  readonly expiration: number
  readonly stopped?: true
}

/** `last` is the message number of the last message, which grows by random steps. */
export type MessageCount = { readonly made: number; readonly last: number }
