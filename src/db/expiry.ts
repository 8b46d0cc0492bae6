import type { Revision } from './version.ts'

/** How long a sync token is good for: the service forgets after about a month (behaviour 5.14). */
export const TOKEN_LIFE = 30 * 86_400_000

export type Expiring = { expires?: string | undefined; revoked?: boolean | undefined }

/** Whether something that may expire or be revoked is still good at a moment of the world's clock. */
export const stands = ({ expires, revoked }: Expiring, now: number): boolean =>
  !revoked && (expires === undefined || Date.parse(expires) > now)

/** Whose sync tokens, of which calendar, of which list: of all of them, where nothing is said. */
export type Which = {
  account?: string | undefined
  calendarId?: string | undefined
  collection?: Collected | undefined
}
export const COLLECTED = ['events', 'acl', 'calendarList', 'settings'] as const
export type Collected = (typeof COLLECTED)[number]
/** Sync tokens that expire: those up to a revision, or each after so many uses. */
export type TokenExpiry = Which & { readonly until?: Revision; readonly afterUses?: number }
