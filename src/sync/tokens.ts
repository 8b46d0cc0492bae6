import { type ChangeLog, TOKEN_LIFETIME_MS } from '../db/changeLog.ts'
import { byTuple } from '../db/tree.ts'
import type { Revision } from '../db/version.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import { addressOf } from '../schema/values/address.ts'
import { type Epoch, type EpochId, hashText, knownEpochs, validUntil } from './epoch.ts'
import { type TokenExpiry, type TokenFilter, tokenExpiries, tokenUses } from './expiry.ts'

/**
 * The list that a token belongs to, as a tuple: the name of the list, for events and acl the calendar id, and for all
 * but acl the account's email.
 */
export type ListName = readonly string[]

/** The fields that every base64 token has. */
type TokenPayload = EpochId & { readonly list: ListName }

/** A predicate for each field of a token. Further fields are allowed. */
export type Shape = Readonly<Record<string, (value: unknown) => boolean>>

/** The content of a sync token: it requests the changes after the revision `since`. */
export type SyncToken = EpochId & { readonly since: Revision }

export const isText = (value: unknown): boolean => typeof value === 'string'
export const isRevision = (value: unknown): boolean => Number.isSafeInteger(value)
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const PAYLOAD_SHAPE: Shape = {
  worldId: isText,
  resetCount: isRevision,
  list: (value) => Array.isArray(value) && value.every(isText),
}

/**
 * Returns a token with the fields of `data`: JSON as base64url. `check` distinguishes damaged tokens from valid ones;
 * it is no protection. A space pads the JSON so that the token ends in `=`, as the service's event tokens do (behaviour
 * 5.7).
 */
export function encodeToken({ worldId, resetCount }: EpochId, list: ListName, data: object): string {
  const payload = { ...data, list, worldId, resetCount }
  const text = JSON.stringify({ ...payload, check: checkOf(payload) })
  return toBase64(Buffer.from(Buffer.byteLength(text) % 3 === 0 ? `${text} ` : text))
}

const toBase64 = (bytes: Buffer): string => bytes.toString('base64url') + '='.repeat((3 - (bytes.length % 3)) % 3)
const checkOf = (payload: object): string => hashText(JSON.stringify(payload)).toString(36)

/**
 * Returns the content of a token of `encodeToken`, or undefined if it is damaged, has another shape or belongs to
 * another list. Does not check its epoch or age.
 */
export function decodeToken<T extends object>(
  token: string,
  list: ListName,
  shape: Shape,
): (T & TokenPayload) | undefined {
  const bytes = Buffer.from(token, 'base64')
  const { check, ...payload } = (toBase64(bytes) === token && parseObject(bytes.toString())) || {}
  const hasShape = Object.entries({ ...PAYLOAD_SHAPE, ...shape }).every(([name, fits]) => fits(payload[name]))
  if (!hasShape || check !== checkOf(payload)) return undefined
  const content = payload as T & TokenPayload
  return byTuple(content.list, list) === 0 ? content : undefined
}

/** Returns undefined for text that is not a JSON object. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return isObject(data) ? data : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns a sync token of acl or settings: a revision in 20 digits with leading zeros (behaviour 5.7). The service's
 * first four digits are 0. Here they are a checksum of epoch, list and revision, so that tokens of other worlds, lists
 * and resets are recognised.
 */
export function encodeDigitToken({ worldId, resetCount }: EpochId, list: ListName, revision: Revision): string {
  const check = hashText(JSON.stringify([worldId, resetCount, list, revision])) % 10_000
  return String(check).padStart(4, '0') + String(revision).padStart(16, '0')
}

/**
 * Returns the content of a token of `encodeDigitToken`, or undefined if it has another form or its checksum fits
 * neither the list nor any epoch that `present` knows. Does not check its age.
 */
export function decodeDigitToken(token: string, list: ListName, present: Epoch): SyncToken | undefined {
  if (!/^\d{20}$/.test(token)) return undefined
  const since = Number(token.slice(4))
  for (const epoch of knownEpochs(present)) {
    if (encodeDigitToken(epoch, list, since) === token) return { ...epoch, since }
  }
  return undefined
}

/**
 * The use of a sync token: its list, the email of the caller, the token as it was sent, and true for `isFirstPage` if
 * the request has no page token.
 */
export type TokenUse = { list: ListName; account: string | undefined; text: string; isFirstPage: boolean }

/** Returns true if a filter selects a token by its list and account. */
function isAffected({ list, account }: TokenUse, filter: TokenFilter): boolean {
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
export function requireValidSyncToken(
  { epoch, changes }: { epoch: Epoch; changes: ChangeLog },
  { since, ...token }: SyncToken,
  use: TokenUse,
): void {
  const until = validUntil(epoch, token) ?? throwApiError('invalidSyncToken')
  const latest = Math.max(changes.markPresent(), changes.originRevision)
  if (since > until || since <= changes.expiredUpTo || since > latest) throw apiError('fullSyncRequired')
  // The age is measured by the clock, which a restore sets back, because revisions only rise.
  const now = Math.max(changes.clockRevision, changes.originRevision)
  if (now - since > TOKEN_LIFETIME_MS * 1000) throw apiError('fullSyncRequired')
  const expiries = tokenExpiries(changes.store).value.filter((expiry) => isAffected(use, expiry))
  if (expiries.length === 0) return
  const uses = tokenUses(changes.store)
  const count = uses.get(use.text) ?? 0
  for (const { until: upTo = -1, afterUses = Number.POSITIVE_INFINITY } of expiries)
    if (since <= upTo || (use.isFirstPage && count >= afterUses)) throw apiError('fullSyncRequired')
  if (use.isFirstPage && expiries.some(limitsUses)) uses.set(use.text, count + 1)
}

/** Returns true for a limit of uses, and false for an expiry up to a revision. */
const limitsUses = ({ afterUses }: TokenExpiry): boolean => afterUses !== undefined

/**
 * Makes sync tokens expire. If `afterUses` is undefined, all present tokens that `filter` selects expire; an empty
 * filter selects all of the world. If it is a number, each token, later ones included, expires after so many uses from
 * now on; `null` removes the limit that was set with the same filter. All pages of a list are one use. Uses that were
 * counted for another limit, which still applies, are included.
 */
export function expireSyncTokens(changes: ChangeLog, filter: TokenFilter, afterUses: number | null | undefined): void {
  if (afterUses === undefined && Object.values(filter).every((value) => value === undefined)) {
    changes.expireAllTokens()
    return
  }
  const hasSameFilter = (one: TokenExpiry) =>
    one.account === filter.account && one.calendarId === filter.calendarId && one.collection === filter.collection
  const expiries = tokenExpiries(changes.store)
  const others = expiries.value.filter((one) => !hasSameFilter(one) || limitsUses(one) !== (afterUses !== undefined))
  // Uses are counted by token and not by limit, so another limit keeps the counts.
  if (afterUses !== undefined && !others.some(limitsUses)) tokenUses(changes.store).clear()
  if (afterUses === undefined) expiries.value = [...others, { ...filter, until: changes.closePresent() }]
  else expiries.value = afterUses === null ? others : [...others, { ...filter, afterUses }]
}
