import type { Account } from '../model/worldData.ts'
import { countRecords, type SeedCounts } from '../seeds/applySeed.ts'
import type { StoryProgress } from './playedStory.ts'
import type { WorldResult } from './worldResult.ts'
import type { World } from './worlds/world.ts'
import type { Worlds } from './worlds/worlds.ts'

export type WorldSummary = SeedCounts & {
  name: string
  calls: number
  /** The number of those that the inspector made. */
  inspectorCalls: number
  mail: number
  faults: number
  /** The result of an attempt of an agent. */
  result?: WorldResult
  last?: { n: number; at: string; method: string; account?: string | undefined }
}

/** The accounts and rooms are those of one world, none if it does not exist. */
export type Overview = {
  world: string
  now: string
  accounts: Pick<Account, 'email' | 'displayName' | 'timeZone' | 'kind'>[]
  rooms: { email: string; displayName: string }[]
  worlds: WorldSummary[]
  story?: StoryProgress
}

/** It creates no world. */
export function createOverview(name: string, worlds: Pick<Worlds, 'names' | 'find'>, now: number): Overview {
  const { data, controls } = worlds.find(name) ?? {}
  const accounts = [...(data?.accounts.values() ?? [])]
  const rooms = [...(data?.calendars.values() ?? [])].filter((one) => one.autoAcceptInvitations && !one.deleted)
  return {
    world: name,
    now: new Date(now).toISOString(),
    accounts: accounts.map(({ email, displayName, timeZone, kind }) => ({ email, displayName, timeZone, kind })),
    rooms: rooms.map(({ id, summary }) => ({ email: id, displayName: summary })),
    ...(controls?.story && { story: controls.story.progress }),
    worlds: worlds.names().flatMap((one) => summarizeWorld(one, worlds.find(one)) ?? []),
  }
}

function summarizeWorld(name: string, world: World | undefined): WorldSummary | undefined {
  if (!world) return undefined
  const { data, controls } = world
  const entries = controls.journal.listEntries()
  const last = entries.at(-1)
  const { n, at = 0, method, account } = last ?? {}
  return {
    name,
    ...countRecords(data),
    calls: entries.length,
    inspectorCalls: entries.filter(({ inspector }) => inspector).length,
    mail: data.mail.size,
    faults: controls.faults.activeCount,
    ...(controls.result && { result: controls.result }),
    ...(n !== undefined && method !== undefined && { last: { n, at: new Date(at).toISOString(), method, account } }),
  }
}
