/** The types of the scope of an ACL rule: everyone, an account, a group, or all accounts of a domain. */
export const SCOPE_TYPES = ['default', 'user', 'group', 'domain'] as const
/** The roles on a calendar, from the lowest to the highest. */
export const ROLES = ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const

/** A role. Each one includes the permissions of those before it in `ROLES`. */
export type Role = (typeof ROLES)[number]
export type ScopeType = (typeof SCOPE_TYPES)[number]
