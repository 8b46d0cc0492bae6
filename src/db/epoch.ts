import type { Revision } from './version.ts'

/** Which life: the world's own line, or that of the state which it was made from, and a number that rises. */
export type LifeName = { readonly line: string; readonly number: number }
/** A life whose tokens are good up to a revision; -1 where none of them is, and they are known to have expired. */
export type Former = LifeName & { readonly until: Revision }
/**
 * A world begins a life when it comes into being, with a reset, and when it is replaced. A token is of the life that its
 * moment lies in: of a world that is made from a state, what came before the split is the state's life.
 */
export type Life = LifeName & {
  readonly former: readonly Former[]
  readonly split?: { readonly at: Revision; readonly before: Life }
}

/** How many lives that are over a world remembers, to tell an expired token from one that was never given out. */
const REMEMBERED = 100

export const newLife = (line: string, number = 0): Life => ({ line, number, former: [] })

export const nameOf = ({ line, number }: LifeName): string => `${line}.${number}`

/** The life that a moment of a world lies in. */
export const lifeAt = (life: Life, moment: Revision): Life =>
  life.split && moment <= life.split.at ? life.split.before : life

/** The life after this one, in which no token of before is good. */
export const nextLife = (present: Life): Life => ({
  line: present.line,
  number: present.number + 1,
  former: over(present, present.line),
})

/** The last name that was made: many worlds begin with one moment. */
let latest: { state: Life; at: Revision; name: string } | undefined

/** What a life and a moment of it are called together. */
function splitName(state: Life, at: Revision): string {
  if (latest?.state === state && latest.at === at) return latest.name
  latest = { state, at, name: shortDigest(`${nameOf(state)} ${at}`) }
  return latest.name
}

/** The life of a world that is made from a state, or that becomes one: it takes tokens from before the state was taken. */
export function lifeFrom(state: Life, at: Revision, present: Life): Life {
  const { split, line: before, number } = present
  // Gone back to once more, a moment brings what it brought before.
  if (split?.before === state && split.at === at) return { ...present, number: number + 1 }
  const colon = before.indexOf(':')
  const line = `${colon < 0 ? before : before.slice(0, colon)}:${splitName(state, at)}`
  const known = [{ line: state.line, number: state.number, until: at }, ...state.former]
  const dead = over(present, line).filter((one) => !known.some((other) => isSame(one, other)))
  return { line, number: number + 1, former: [...known, ...dead], split: { at, before: state } }
}

const isSame = (a: LifeName, b: LifeName): boolean => a.line === b.line && a.number === b.number

/** The last life of each line that a world has had, but for one. */
function over({ line: present, number: count, former }: Life, but: string): Former[] {
  if (former.length === 0) return present === but ? [] : [{ line: present, number: count, until: -1 }]
  const last = new Map<string, number>()
  for (const { line, number } of [{ line: present, number: count }, ...former]) {
    if (line !== but) last.set(line, Math.max(number, last.get(line) ?? 0))
  }
  return [...last].slice(0, REMEMBERED).map(([line, number]) => ({ line, number, until: -1 }))
}

/** Up to which revision tokens of a life are good here; `undefined` where it is no life of this world. */
export function goodUntil(present: Life, { line, number }: LifeName): Revision | undefined {
  if (line === present.line && number === present.number) return Number.POSITIVE_INFINITY
  const known = present.former.find((one) => isSame(one, { line, number }))
  if (known) return known.until
  return [present, ...present.former].some((one) => one.line === line && number < one.number) ? -1 : undefined
}

/** The lives that a token may be of: the present one, those it goes on from, and the latest of those that are over. */
export function* livesOf(present: Life): Generator<LifeName> {
  for (const { line, number } of [present, ...present.former]) {
    for (let back = 0; back < REMEMBERED && number - back >= 0; back++) yield { line, number: number - back }
  }
}

/** A text as a short name, of 53 bits: it protects nothing, and two texts hardly ever share one. */
function shortDigest(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
    other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (2 ** 32 * (other & 0x1fffff) + (one >>> 0)).toString(36)
}
