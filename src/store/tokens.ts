import { refuse } from '../wire/refusals.ts'
import type { ChangeLog } from './changes.ts'
import type { Revision } from './version.ts'

/** How long a sync token is good for: the service forgets after about a month (behaviour 5.14). */
const TOKEN_LIFE = 30 * 86_400_000

/**
 * Page and sync tokens are sealed data. `list` is the collection they were given out for and `life` the world's: a
 * token from before a reset is a token of another life, and has expired.
 */
export type Sealed = { list: string; life: number }

/** Base64 that ends in `=`, as the service's event tokens do (behaviour 5.7). */
export function seal(data: object): string {
  const text = JSON.stringify(data)
  const padding = Buffer.byteLength(text) % 3 === 0 ? ' ' : ''
  return Buffer.from(text + padding).toString('base64')
}

export function unseal<T extends Sealed>(token: string, list: string): T | undefined {
  try {
    const data: T = JSON.parse(Buffer.from(token, 'base64').toString())
    return seal(data) === token && data.list === list ? data : undefined
  } catch {
    return undefined
  }
}

/** How many lives four digits tell apart. */
const LIVES = 10_000

/**
 * The tokens of acl and settings: zero-padded microseconds in 20 digits (behaviour 5.7), of which the first four hold
 * the life.
 */
export const sealDigits = (life: number, revision: Revision): string =>
  String(life % LIVES).padStart(4, '0') + String(revision).padStart(16, '0')

export function unsealDigits(token: string): { life: number; since: Revision } | undefined {
  return /^\d{20}$/.test(token) ? { life: Number(token.slice(0, 4)), since: Number(token.slice(4)) } : undefined
}

/** Refuses a sync token that has expired: of a former life, made to, or too old. One from the future was never given out. */
export function requireFresh(world: { life: number; changes: ChangeLog }, life: number, since: Revision): void {
  const { forgotten } = world.changes
  const age = world.changes.mark() - since
  const ofThisLife = (life - world.life) % LIVES === 0
  if (!ofThisLife || since <= forgotten || age < 0 || age > TOKEN_LIFE * 1000) refuse('fullSyncRequired')
}
