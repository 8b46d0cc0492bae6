import { LazyTable, LazyValue } from '../db/lazyTable.ts'
import type { Store } from '../db/store.ts'
import { byText } from '../db/tree.ts'
import type { Revision } from '../db/version.ts'

export type Expirable = { expires?: string | undefined; revoked?: boolean | undefined }

/** Returns true if a credential is neither revoked nor expired at an instant. */
export const isActive = ({ expires, revoked }: Expirable, now: number): boolean =>
  !revoked && (expires === undefined || Date.parse(expires) > now)

/** Selects sync tokens by account, calendar and list. A field that is left out matches all. */
export type TokenFilter = {
  account?: string | undefined
  calendarId?: string | undefined
  collection?: SyncedList | undefined
}
export const SYNCED_LISTS = ['events', 'acl', 'calendarList', 'settings'] as const
export type SyncedList = (typeof SYNCED_LISTS)[number]
/** Sync tokens that expire: those up to a revision, or each after so many uses. */
export type TokenExpiry = TokenFilter & { readonly until?: Revision; readonly afterUses?: number }

/** The rules by which sync tokens expire early. */
export const tokenExpiries = (store: Store): LazyValue<readonly TokenExpiry[]> =>
  new LazyValue<readonly TokenExpiry[]>(store, 'syncTokens/expiring', [])

/** The number of uses of each sync token since its uses were limited. */
export const tokenUses = (store: Store): LazyTable<string, number> => new LazyTable(store, 'syncTokens/uses', byText)
