import { type ChangeLog, HISTORY_LIFETIME_MS } from '../db/changeLog.ts'
import { byText, byTuple, LazyTable, LazyValue, type Store } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import { addressOf } from '../schema/values/address.ts'
import { parseObject } from '../schema/values/json.ts'
import { type Epoch, type EpochId, epochOf, hashText, recognisedEpochs, validUntil } from './epochs.ts'

/**
 * Selects sync tokens. A field that is left out matches all. `primary` is the calendar of each account. A calendar matches only
 * tokens of `events` and `acl`.
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

export const tokenExpiries = (store: Store): LazyValue<readonly TokenExpiry[]> =>
  new LazyValue<readonly TokenExpiry[]>(store, 'syncTokens/expiring', [])

/** The number of lists that each sync token began while a limit of uses applied to it, by the token. */
export const tokenUses = (store: Store): LazyTable<string, number> => new LazyTable(store, 'syncTokens/uses', byText)

/** The times of issue of tokens of digits whose revision is later than the clock, as after a restore, by the token. */
export const issueTimes = (store: Store): LazyTable<string, number> => new LazyTable(store, 'syncTokens/issued', byText)

/** The name of the list, for events and acl the calendar id, and for all but acl the account's email. */
export type ListName = readonly string[]

type TokenPayload = EpochId & { readonly list: ListName }

export type Shape = Readonly<Record<string, (value: unknown) => boolean>>

/** `issued` is the time of issue by the world's clock, in microseconds. */
export type SyncToken = EpochId & { readonly since: Revision; readonly issued: number }

export const isString = (value: unknown): boolean => typeof value === 'string'
export const isRevision = (value: unknown): boolean => Number.isSafeInteger(value)

const PAYLOAD_SHAPE: Shape = {
  worldId: isString,
  resetCount: isRevision,
  list: (value) => Array.isArray(value) && value.every(isString),
}

/**
 * JSON as base64url. `check` distinguishes damaged tokens from valid ones; it is no protection. A space pads the JSON
 * so that the token ends in `=`, as the service's event tokens do (behaviour 5.7).
 */
export function encodeToken({ worldId, resetCount }: EpochId, list: ListName, data: object): string {
  const payload = JSON.stringify({ ...data, list, worldId, resetCount })
  const text = `${payload.slice(0, -1)},"check":"${checkOf(payload)}"}`
  return toBase64(Buffer.from(Buffer.byteLength(text) % 3 === 0 ? `${text} ` : text))
}

const toBase64 = (bytes: Buffer): string => bytes.toString('base64url') + '='.repeat((3 - (bytes.length % 3)) % 3)
const checkOf = (payload: string): string => hashText(payload).toString(36)

/** Undefined if the token is damaged, has another shape or belongs to another list. Does not check its epoch or age. */
export function decodeToken<T extends object>(
  token: string,
  list: ListName,
  shape: Shape,
): (T & TokenPayload) | undefined {
  const bytes = Buffer.from(token, 'base64')
  const { check, ...payload } = (toBase64(bytes) === token && parseObject(bytes.toString())) || {}
  const hasShape = Object.entries({ ...PAYLOAD_SHAPE, ...shape }).every(([name, fits]) => fits(payload[name]))
  if (!hasShape || check !== checkOf(JSON.stringify(payload))) return undefined
  const content = payload as T & TokenPayload
  return byTuple(content.list, list) === 0 ? content : undefined
}

/**
 * A token of acl or settings: a revision in 20 digits (behaviour 5.7). The service's first four digits are 0. Here
 * they are a checksum of epoch, list and revision, so that tokens of other worlds, lists and resets are recognised.
 */
export function encodeDigitToken({ worldId, resetCount }: EpochId, list: ListName, revision: Revision): string {
  const check = hashText(JSON.stringify([worldId, resetCount, list, revision])) % 10_000
  return String(check).padStart(4, '0') + String(revision).padStart(16, '0')
}

/** Undefined if the checksum fits neither the list nor any epoch of `recognisedEpochs`. Does not check the token's age. */
export function decodeDigitToken(token: string, list: ListName, present: Epoch): Omit<SyncToken, 'issued'> | undefined {
  if (!/^\d{20}$/.test(token)) return undefined
  const since = Number(token.slice(4))
  for (const epoch of recognisedEpochs(present)) {
    if (encodeDigitToken(epoch, list, since) === token) return { ...epoch, since }
  }
  return undefined
}

/** `text` is the token as it was sent. `isFirstPage` is true if the request has no page token. */
export type TokenUse = { list: ListName; account: string | undefined; text: string; isFirstPage: boolean }

function isSelectedUse({ list, account }: TokenUse, filter: TokenFilter): boolean {
  const [collection, calendar] = list
  if (filter.collection !== undefined && filter.collection !== collection) return false
  if (filter.account !== undefined && addressOf(filter.account) !== account) return false
  if (filter.calendarId === undefined) return true
  if (collection !== 'events' && collection !== 'acl') return false
  return calendar === (filter.calendarId === 'primary' ? account : addressOf(filter.calendarId))
}

/**
 * Checks the epoch and age of a decoded sync token, and counts its use if its uses are limited. Throws
 * `invalidSyncToken` (400) for a token of another world, and `fullSyncRequired` (410) for one that has expired.
 */
export function requireValidSyncToken(changes: ChangeLog, { since, issued, ...token }: SyncToken, use: TokenUse): void {
  const until = validUntil(epochOf(changes.store), token) ?? throwApiError('invalidSyncToken')
  if (since > until || since <= changes.prunedUpTo || since > changes.markLatest()) throw apiError('fullSyncRequired')
  // The age is measured by the clock, which a restore sets back, because revisions only rise.
  const now = Math.max(changes.clockRevision, changes.originRevision)
  if (now - issued > HISTORY_LIFETIME_MS * 1000) throw apiError('fullSyncRequired')
  const expiries = tokenExpiries(changes.store).value.filter((expiry) => isSelectedUse(use, expiry))
  if (expiries.length === 0) return
  const uses = tokenUses(changes.store)
  const count = uses.get(use.text) ?? 0
  for (const { until: upTo = -1, afterUses = Number.POSITIVE_INFINITY } of expiries)
    if (since <= upTo || (use.isFirstPage && count >= afterUses)) throw apiError('fullSyncRequired')
  if (use.isFirstPage && expiries.some(isUseLimit)) uses.set(use.text, count + 1)
}

/**
 * Forgets the uses of a token that a full list returns. It is the same token again if nothing has changed, so a
 * program that started over after a 410 would get another 410.
 */
export function forgetUses(store: Store, text: string): void {
  const uses = tokenUses(store)
  if (uses.get(text) !== undefined) uses.delete(text)
}

const isUseLimit = ({ afterUses }: TokenExpiry): boolean => afterUses !== undefined

/**
 * Makes sync tokens expire. If `afterUses` is undefined, all present tokens that `filter` selects expire; an empty
 * filter selects all of the world. If it is a number, each token, later ones included, expires after so many uses from
 * now on; `null` removes the limit that was set with the same filter. All pages of a list are one use. Uses that were
 * counted for another limit, which still applies, are included.
 */
export function expireSyncTokens(changes: ChangeLog, filter: TokenFilter, afterUses: number | null | undefined): void {
  if (afterUses === undefined && Object.values(filter).every((value) => value === undefined)) {
    changes.markPruned()
    return
  }
  const hasSameFilter = (one: TokenExpiry) =>
    one.account === filter.account && one.calendarId === filter.calendarId && one.collection === filter.collection
  const expiries = tokenExpiries(changes.store)
  const others = expiries.value.filter((one) => !hasSameFilter(one) || isUseLimit(one) !== (afterUses !== undefined))
  if (afterUses !== undefined && !others.some(isUseLimit)) tokenUses(changes.store).clear()
  if (afterUses === undefined) expiries.value = [...others, { ...filter, until: changes.closePresent() }]
  else expiries.value = afterUses === null ? others : [...others, { ...filter, afterUses }]
}
