export const SCOPE_TYPES = ['default', 'user', 'group', 'domain'] as const
export const ROLES = ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const

/** Each role may do all that the ones before it may. */
export type Role = (typeof ROLES)[number]
export type ScopeType = (typeof SCOPE_TYPES)[number]
