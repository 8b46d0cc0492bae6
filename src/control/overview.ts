import type { Realm } from '../life/realm.ts'
import { countOf, type Planted } from '../life/seed.ts'
import type { Account } from '../world/world.ts'
import type { Worlds } from './operation.ts'

/** A summary of a world. */
export type WorldView = Planted & {
  name: string
  /** The number of requests in its journal, and the last of them. */
  calls: number
  /** The number of those that the inspector's own writes are. */
  inspectorCalls: number
  mail: number
  faults: number
  last?: { n: number; at: string; method: string; account?: string | undefined }
}

/** The first page of the inspector: the accounts of one world (none if it does not exist), and all worlds. */
export type Overview = {
  world: string
  now: string
  accounts: Pick<Account, 'email' | 'displayName' | 'timeZone' | 'kind'>[]
  worlds: WorldView[]
}

export function overview(name: string, worlds: Pick<Worlds, 'names' | 'realm'>, now: number): Overview {
  const names = worlds.names()
  const accounts = names.includes(name) ? [...worlds.realm(name).world.accounts.values()] : []
  return {
    world: name,
    now: new Date(now).toISOString(),
    accounts: accounts.map(({ email, displayName, timeZone, kind }) => ({ email, displayName, timeZone, kind })),
    worlds: names.map((one) => viewOf(one, worlds.realm(one))),
  }
}

function viewOf(name: string, { world, controls }: Realm): WorldView {
  const entries = controls.journal.entries()
  const last = entries.at(-1)
  const { n, at = 0, method, account } = last ?? {}
  return {
    name,
    ...countOf(world),
    calls: entries.length,
    inspectorCalls: entries.filter(({ inspector }) => inspector).length,
    mail: world.mail.size,
    faults: controls.faults.list().length,
    ...(n !== undefined && method !== undefined && { last: { n, at: new Date(at).toISOString(), method, account } }),
  }
}
