import type { Records } from '../db/records.ts'
import type { StoreSnapshot } from '../db/store.ts'
import { differences as differing } from '../db/tree.ts'
import type { Write } from '../db/writeLog.ts'
import { kindOf } from './kinds.ts'
import type { View } from './view.ts'

/** A record that is another than it was, by the name of its collection. */
export type Difference = {
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object | undefined
}

/** What nobody has written has the revision 0. */
const BEFORE_ALL = -1

/** Where two moments of worlds differ. What they share is not looked at, so that it costs what was written in between. */
export function* between(before: StoreSnapshot, after: StoreSnapshot): Generator<Difference> {
  for (const [name, was, is] of differing(before.states, after.states)) {
    if (!kindOf(name)) continue
    const [former, records] = [was as Records<object> | undefined, is as Records<object> | undefined]
    if (former && records) for (const found of records.differences(former)) yield { name, ...found }
    else
      for (const { id, value } of (records ?? former)?.since(BEFORE_ALL) ?? [])
        yield { name, id, was: former && value, is: records && value }
  }
}

/** What has been written, each record once, in the order of its first write. */
export function* written(writes: readonly Write[], now: View): Generator<Difference> {
  const seen = new Set<string>()
  for (const { name, id, was } of writes) {
    const key = keyOf(name, id)
    if (seen.has(key) || !kindOf(name)) continue
    seen.add(key)
    yield { name, id, was, is: now.get(name, id) }
  }
}

/** A world as it was before some writes, the latest that there were. */
export function viewBefore(writes: readonly Write[], now: View): View {
  const former = new Map<string, object | undefined>()
  for (const { name, id, was } of writes) {
    const key = keyOf(name, id)
    if (!former.has(key)) former.set(key, was)
  }
  return {
    get(name, id) {
      const key = keyOf(name, id)
      return former.has(key) ? former.get(key) : now.get(name, id)
    },
  }
}

/** A name holds no line break, and an id after one may hold what it likes. */
const keyOf = (name: string, id: string): string => `${name}\n${id}`
