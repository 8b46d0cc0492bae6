import { type ChangeLog, TOKEN_LIFE } from '../db/changeLog.ts'
import { goodUntil, type Life, type LifeName, livesOf, nameOf } from '../db/epoch.ts'
import type { Revision } from '../db/version.ts'
import { keyedDigest } from '../time/digest.ts'
import { refuse } from '../wire/refusals.ts'
import { addressOf } from '../wire/values/address.ts'
import { expiringIn, type TokenExpiry, usesIn, type Which } from './expiry.ts'

/**
 * Page and sync tokens are sealed data, which nobody but the life that gave them out can make. `list` is what they were
 * given out for.
 */
type Sealed = LifeName & { readonly list: string }

/** What every value of a token has to be. */
export type Shape = Readonly<Record<string, (value: unknown) => boolean>>

export const isText = (value: unknown): boolean => typeof value === 'string'
export const isRevision = (value: unknown): boolean => Number.isSafeInteger(value)
export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** How many characters of a token are its seal. */
const SEAL = 16

/** The key is of the life alone, so that the same requests give the same tokens in every run. */
const sealOf = (life: LifeName, text: string): string =>
  keyedDigest(`fake-calendar ${nameOf(life)}`, text)
    .toString('base64url')
    .slice(0, SEAL)

/** Base64 that ends in `=`, as the service's event tokens do (behaviour 5.7). */
export function seal({ line, number }: LifeName, list: string, data: object): string {
  const text = JSON.stringify({ ...data, list, line, number })
  const padding = (SEAL + Buffer.byteLength(text)) % 3 === 0 ? ' ' : ''
  return Buffer.from(sealOf({ line, number }, text) + text + padding).toString('base64')
}

/** What a token holds, where it was given out for this list in a life that may be this world's, and is of a shape. */
export function unseal<T extends object>(token: string, list: string, shape: Shape): (T & Sealed) | undefined {
  const bytes = Buffer.from(token, 'base64')
  if (bytes.toString('base64') !== token) return undefined
  const text = bytes.toString().slice(SEAL).replace(/ $/, '')
  const data = parsed(text)
  const ofShape = data && Object.entries({ ...SEALED, ...shape }).every(([name, fits]) => fits(data[name]))
  if (!ofShape || data.list !== list) return undefined
  return bytes.toString().startsWith(sealOf(data as LifeName, text)) ? (data as T & Sealed) : undefined
}

const SEALED: Shape = { list: isText, line: isText, number: isRevision }

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return isObject(data) ? (data as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/**
 * The tokens of acl and settings: zero-padded microseconds in 20 digits (behaviour 5.7), of which the first four are the
 * seal.
 */
export function sealDigits(life: LifeName, list: string, revision: Revision): string {
  const digits = String(revision).padStart(16, '0')
  return String(keyedDigest(nameOf(life), `${list} ${digits}`).readUInt32BE() % 10_000).padStart(4, '0') + digits
}

export function unsealDigits(token: string, list: string, present: Life): (LifeName & { since: Revision }) | undefined {
  if (!/^\d{20}$/.test(token)) return undefined
  const since = Number(token.slice(4))
  for (const life of livesOf(present)) if (sealDigits(life, list, since) === token) return { ...life, since }
  return undefined
}

/** A sync token that is used: the list that it is of, by whom, and whether it asks for the first page. */
export type Used = { list: string; account: string | undefined; text: string; first: boolean }

/** Whether a token's list is one of those that an expiry names. Lists are made by `listName`. */
function isAmong({ list, account }: Used, { account: whose, calendarId, collection }: Which): boolean {
  const [kind, calendar] = list.split('/').map(decodeURIComponent)
  if (collection !== undefined && collection !== kind) return false
  if (whose !== undefined && addressOf(whose) !== account) return false
  if (calendarId === undefined) return true
  if (kind !== 'events' && kind !== 'acl') return false
  return calendar === (calendarId === 'primary' ? account : addressOf(calendarId))
}

/** Refuses a sync token that has expired: of a former life, made to, used up, or too old. One of another world is none. */
export function requireFresh(
  { life, changes }: { life: Life; changes: ChangeLog },
  { since, ...of }: LifeName & { since: Revision },
  used: Used,
): void {
  const until = goodUntil(life, of) ?? refuse('invalidSyncToken')
  const isOver = since > until || since <= changes.forgotten || since > Math.max(changes.mark(), changes.ahead)
  // By the clock, which a restore takes back, and not by the revisions, which go on.
  if (isOver || Math.max(changes.now, changes.ahead) - since > TOKEN_LIFE * 1000) refuse('fullSyncRequired')
  const expiring = expiringIn(changes.store).value.filter((which) => isAmong(used, which))
  if (expiring.length === 0) return
  const uses = usesIn(changes.store)
  const count = uses.get(used.text) ?? 0
  for (const { until: upTo = -1, afterUses = Number.POSITIVE_INFINITY } of expiring)
    if (since <= upTo || (used.first && count >= afterUses)) refuse('fullSyncRequired')
  if (used.first) uses.set(used.text, count + 1)
}

/** Makes sync tokens expire: all that were handed out so far, or each after so many uses from here on. */
export function expire(changes: ChangeLog, which: Which, afterUses: number | null | undefined): void {
  const all = Object.values(which).every((said) => said === undefined)
  if (afterUses === undefined && all) {
    changes.forget()
    return
  }
  const same = (one: TokenExpiry) =>
    one.account === which.account && one.calendarId === which.calendarId && one.collection === which.collection
  const counted = (one: TokenExpiry) => one.afterUses !== undefined
  const expiring = expiringIn(changes.store)
  const others = expiring.value.filter((one) => !same(one) || counted(one) !== (afterUses !== undefined))
  if (afterUses === undefined) expiring.value = [...others, { ...which, until: changes.pass() }]
  else expiring.value = afterUses === null ? others : [...others, { ...which, afterUses }]
}

/** Names a list by its collection and what it belongs to: `events` with calendar and account, `acl` with calendar, others with account. */
export const listName = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/')
