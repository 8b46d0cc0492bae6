/** Everyone, an account, a group, or all accounts of a domain. */
export const SCOPE_TYPES = ['default', 'user', 'group', 'domain'] as const
export const ROLES = ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const

export type Role = (typeof ROLES)[number]
export type ScopeType = (typeof SCOPE_TYPES)[number]
