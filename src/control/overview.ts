import type { Account } from '../model/worldData.ts'
import { countRecords, type SeedCounts } from '../seeds/applySeed.ts'
import type { Worlds } from './operations/operation.ts'
import type { World } from './worlds/world.ts'

/** A summary of a world. */
export type WorldView = SeedCounts & {
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

export function overview(name: string, worlds: Pick<Worlds, 'names' | 'world'>, now: number): Overview {
  const names = worlds.names()
  const accounts = names.includes(name) ? [...worlds.world(name).data.accounts.values()] : []
  return {
    world: name,
    now: new Date(now).toISOString(),
    accounts: accounts.map(({ email, displayName, timeZone, kind }) => ({ email, displayName, timeZone, kind })),
    worlds: names.map((one) => viewOf(one, worlds.world(one))),
  }
}

function viewOf(name: string, { data, controls }: World): WorldView {
  const entries = controls.journal.entries()
  const last = entries.at(-1)
  const { n, at = 0, method, account } = last ?? {}
  return {
    name,
    ...countRecords(data),
    calls: entries.length,
    inspectorCalls: entries.filter(({ inspector }) => inspector).length,
    mail: data.mail.size,
    faults: controls.faults.list().length,
    ...(n !== undefined && method !== undefined && { last: { n, at: new Date(at).toISOString(), method, account } }),
  }
}
