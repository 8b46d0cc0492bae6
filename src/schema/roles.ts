export const SCOPE_TYPES = ['default', 'user', 'group', 'domain'] as const
export const ROLES = ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const

/** A role. Each one includes the permissions of those before it in `ROLES`. */
export type Role = (typeof ROLES)[number]
export type ScopeType = (typeof SCOPE_TYPES)[number]
