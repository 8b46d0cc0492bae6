import { LazyTable, LazyValue } from '../db/lazyTable.ts'
import type { Store } from '../db/store.ts'
import { byText } from '../db/tree.ts'
import type { Revision } from '../db/version.ts'

/** A credential. `expires` is an ISO date-time; undefined for one that does not expire. */
export type Expirable = { expires?: string | undefined; revoked?: boolean | undefined }

/** Returns true if a credential is neither revoked nor expired at `now`, in milliseconds since the epoch. */
export const isActive = ({ expires, revoked }: Expirable, now: number): boolean =>
  !revoked && (expires === undefined || Date.parse(expires) > now)

/**
 * Selects sync tokens by the email of the account, by calendar and by list. A field that is left out matches all. The
 * calendar id `primary` is that of each account. A calendar matches only tokens of `events` and `acl`.
 */
export type TokenFilter = {
  account?: string | undefined
  calendarId?: string | undefined
  collection?: SyncedList | undefined
}
export const SYNCED_LISTS = ['events', 'acl', 'calendarList', 'settings'] as const
export type SyncedList = (typeof SYNCED_LISTS)[number]
/** Sync tokens that expire early: those up to the revision `until`, itself included, or each after `afterUses` uses. */
export type TokenExpiry = TokenFilter & { readonly until?: Revision; readonly afterUses?: number }

/** The rules by which sync tokens expire early. Each applies to the tokens that it selects. */
export const tokenExpiries = (store: Store): LazyValue<readonly TokenExpiry[]> =>
  new LazyValue<readonly TokenExpiry[]>(store, 'syncTokens/expiring', [])

/** The number of lists that each sync token began while a limit of uses applied to it, by the token. */
export const tokenUses = (store: Store): LazyTable<string, number> => new LazyTable(store, 'syncTokens/uses', byText)
