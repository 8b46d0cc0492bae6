import type { Realm } from '../life/realm.ts'
import { countOf, type Planted } from '../life/seed.ts'
import type { Account } from '../world/world.ts'
import type { Beside } from './beside.ts'

/** A world at a glance. */
export type WorldView = Planted & {
  name: string
  /** How many requests its journal has, and the last of them. */
  calls: number
  /** The number of those that the inspector's own writes are. */
  inspectorCalls: number
  mail: number
  faults: number
  last?: { n: number; at: string; method: string; account?: string | undefined }
}

/** What the inspector begins with: the people of the world that is asked, none where there is none, and all worlds. */
export type Overview = {
  world: string
  now: string
  accounts: Pick<Account, 'email' | 'displayName' | 'timeZone' | 'kind'>[]
  worlds: WorldView[]
}

export function overview({ name, worlds, now }: Pick<Beside, 'name' | 'worlds' | 'now'>): Overview {
  const names = worlds.names()
  const accounts = names.includes(name) ? [...worlds.realm(name).world.accounts.values()] : []
  return {
    world: name,
    now: new Date(now()).toISOString(),
    accounts: accounts.map(({ email, displayName, timeZone, kind }) => ({ email, displayName, timeZone, kind })),
    worlds: names.map((one) => viewOf(one, worlds.realm(one))),
  }
}

function viewOf(name: string, { world, rig }: Realm): WorldView {
  const notes = rig.journal.notes()
  const last = notes.at(-1)
  const { n, at = 0, method, account } = last ?? {}
  return {
    name,
    ...countOf(world),
    calls: notes.length,
    inspectorCalls: notes.filter(({ inspector }) => inspector).length,
    mail: world.mail.size,
    faults: rig.faults.list().length,
    ...(n !== undefined && method !== undefined && { last: { n, at: new Date(at).toISOString(), method, account } }),
  }
}
