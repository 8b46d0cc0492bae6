import { LazyTable } from '../db/lazyTable.ts'
import { LazyValue } from '../db/lazyValue.ts'
import type { Store } from '../db/store.ts'
import { byText } from '../db/tree.ts'
import type { Revision } from '../db/version.ts'

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

/** The rules by which sync tokens expire, beside their age. */
export const expiringIn = (store: Store): LazyValue<readonly TokenExpiry[]> =>
  new LazyValue<readonly TokenExpiry[]>(store, 'syncTokens/expiring', [])

/** How often each sync token was used since its uses were limited. */
export const usesIn = (store: Store): LazyTable<string, number> => new LazyTable(store, 'syncTokens/uses', byText)
