import { HISTORY_LIFETIME_MS } from '../db/changeLog.ts'
import type { Collection } from '../db/collection.ts'
import type { Revision } from '../db/version.ts'
import { conferenceState } from '../effects/conferences.ts'
import { scheduleAgenda, scheduleAllReminders } from '../effects/reminders.ts'
import type { Channel } from '../model/channel.ts'
import { isMaster } from '../model/events/series.ts'
import { putReminders, remindersByAccount, type SeededReminders } from '../model/reminders.ts'
import type { Account, StoredCalendar, WorldData } from '../model/worldData.ts'
import type { AclRule } from '../schema/aclRule.ts'
import type { CalendarListEntry } from '../schema/calendarListEntry.ts'
import type { Event } from '../schema/event.ts'
import type { Setting } from '../schema/setting.ts'
import { without } from '../schema/values/json.ts'
import { epochAt, epochOf } from '../sync/epochs.ts'
import { exportOAuth } from './oauthSeed.ts'
import type { Seed } from './schema/seed.ts'
import { STATE_VERSION } from './stateVersion.ts'

/** The former versions of a series, until which revision (microseconds since 1970) each counted. */
type SeriesHistory = {
  id: string
  createdRevision: Revision
  former?: { until: Revision; event: Event }[]
  cancelledApart?: string[]
}

export type WorldState = Omit<Seed, 'counters' | 'accounts' | 'calendars' | 'channels'> & {
  counters: NonNullable<Seed['counters']>
  accounts?: (Omit<Account, 'timeZone'> & {
    timeZone?: string
    settings?: Setting[] | Record<string, string>
    reminders?: SeededReminders[]
    calendarList?: CalendarListEntry[]
  })[]
  calendars?: (StoredCalendar & {
    owner?: string
    client?: string
    acl?: AclRule[]
    events?: Event[]
    series?: SeriesHistory[]
  })[]
  channels?: (Omit<Channel, 'eventTypes'> & { eventTypes?: string[]; messages?: number; lastMessage?: number })[]
}

/** A state is a seed with counters, which a world wrote. */
export const isWorldState = (seed: Seed): seed is WorldState => seed.counters !== undefined

/** Stores every record exactly, including its etag. Validates nothing. */
export function restoreWorldState(
  world: WorldData,
  { accounts = [], groups = [], calendars = [], tokens = [], channels = [] }: WorldState,
): void {
  for (const { messages: made = 0, lastMessage: last = made, ...channel } of channels) {
    world.channels.restore(channel.id, channel, 0)
    if (made > 0) world.messageCounts.set(channel.id, { made, last })
  }
  for (const { calendarList = [], settings, reminders = [], timeZone = 'UTC', ...account } of accounts) {
    const { email } = account
    world.accounts.restore(email, { ...account, timeZone }, 0)
    for (const own of reminders) putReminders(world, email, own)
    restoreRecords(world.lists.of(email), calendarList)
    if (Array.isArray(settings)) restoreRecords(world.settings.of(email), settings)
  }
  for (const group of groups) world.groups.restore(group.email, group, 0)
  for (const grant of tokens) world.grants.restore(grant.token, grant, 0)
  for (const { acl = [], events = [], series = [], client, ...calendar } of calendars) {
    if (client !== undefined) world.creatorClients.set(calendar.id, client)
    restoreRecords(world.calendars, [without(calendar, 'owner')])
    restoreRecords(world.acl.of(calendar.id), acl)
    const known = world.events.of(calendar.id)
    restoreRecords(known, events, {
      factor: 2,
      createdRevisions: new Map(series.map(({ id, createdRevision }) => [id, createdRevision])),
      cancelledApart: new Set(series.flatMap((one) => one.cancelledApart ?? [])),
    })
    for (const { id, createdRevision, former = [] } of series) {
      for (const { until, event } of former)
        known.restoreFormer({ id, revision: createdRevision, value: { ...event } }, until)
    }
  }
  for (const { id } of calendars) scheduleAllReminders(world, id)
  for (const { email, calendarList = [] } of accounts) {
    for (const { id } of calendarList) scheduleAgenda(world, email, id)
  }
}

/** Histories reach as far back as sync tokens are valid. */
function listSeriesHistories(world: WorldData, calendarId: string): { series?: SeriesHistory[] } {
  const { records } = world.events.of(calendarId)
  const pasts = new Map<string, SeriesHistory>()
  for (const { id } of [...records.values()].filter(isMaster)) {
    const version = records.version(id)
    const { revision, cancelledRevision } = version ?? {}
    const createdRevision = version ? (version.createdRevision ?? version.revision) : 0
    const cancelledApart = cancelledRevision
      ? records.membersOf(id).filter((member) => records.version(member)?.cancelledRevision !== cancelledRevision)
      : []
    if (createdRevision !== revision || cancelledApart.length > 0)
      pasts.set(id, { id, createdRevision, ...(cancelledApart.length > 0 && { cancelledApart }) })
  }
  for (const { until, version } of records.history.since(world.changes.latest - HISTORY_LIFETIME_MS * 1000)) {
    const { id } = version
    const createdRevision = version.createdRevision ?? version.revision
    const past: SeriesHistory = pasts.get(id) ?? { id, createdRevision }
    pasts.set(id, { ...past, former: [...(past.former ?? []), { until, event: version.value }] })
  }
  return pasts.size > 0 ? { series: [...pasts.values()] } : {}
}

/** Undefined if `updated` shows the revision. */
function findLastVisibleWrite(record: object, revision: Revision): Revision | undefined {
  const shown = 'updated' in record ? Date.parse(String(record.updated)) : Number.NaN
  return Number.isNaN(shown) || shown === Math.floor(revision / 1000) ? undefined : shown * 1000
}

/**
 * Revisions are those of the etags; that of an event contains twice the revision (`factor`). `cancelledApart` lists the
 * instances that were cancelled before their series.
 */
function restoreRecords<T extends { id: string; etag: string }>(
  collection: Collection<T>,
  records: readonly T[],
  { factor = 1, createdRevisions, cancelledApart }: RestoreOptions = {},
): void {
  for (const record of records) {
    const revision = Number(record.etag.replaceAll('"', '')) / factor
    collection.restore(record.id, { ...record }, revision, {
      createdRevision: createdRevisions?.get(record.id),
      // A series and its instances share one etag, so that these have its revision too.
      cancelledRevision: cancelledApart?.has(record.id) ? revision - 1 : undefined,
      updatedRevision: findLastVisibleWrite(record, revision),
    })
  }
}

type RestoreOptions = {
  factor?: number
  createdRevisions?: ReadonlyMap<string, Revision>
  cancelledApart?: ReadonlySet<string>
}

function toMessageCounts({ messageCounts }: WorldData, { id }: Channel) {
  const { made, last } = messageCounts.get(id) ?? { made: 0, last: 0 }
  return { messages: made, lastMessage: last }
}

/** The records are those of the world, so do not change them. */
export function exportWorldState(world: WorldData): WorldState {
  const { changes, clock } = world
  const { worldId, resetCount, continues } = epochAt(epochOf(world.store), changes.latest)
  const reminders = remindersByAccount(world)
  const findCreatorClient = (id: string) => world.creatorClients.get(id)
  return {
    clock: clock.state(),
    counters: {
      revision: changes.latest,
      expiredUpTo: changes.prunedUpTo,
      epoch: { worldId, resetCount, continues: [...continues] },
      ids: world.store.counters.ids,
      version: STATE_VERSION,
    },
    conferences: conferenceState(world),
    accounts: [...world.accounts.values()].map((account) => ({
      ...account,
      calendarList: [...world.lists.of(account.email).values()],
      settings: [...world.settings.of(account.email).values()],
      ...(reminders.has(account.email) && { reminders: reminders.get(account.email) ?? [] }),
    })),
    groups: [...world.groups.values()],
    tokens: [...world.grants.values()],
    mail: world.mail.entries().map(([id, mail]) => ({ id, ...mail })),
    ...(world.apiKeys.size > 0 && { apiKeys: world.apiKeys.keys() }),
    ...exportOAuth(world),
    ...(world.files.size > 0 && { files: world.files.entries().map(([id, file]) => ({ id, ...file })) }),
    channels: [...world.channels.values()].map(({ eventTypes, originWorld: _origin, ...channel }) => ({
      ...channel,
      ...(eventTypes && { eventTypes: [...eventTypes] }),
      ...toMessageCounts(world, channel),
    })),
    calendars: [...world.calendars.values()].map((calendar) => ({
      ...calendar,
      ...(findCreatorClient(calendar.id) !== undefined && { client: findCreatorClient(calendar.id) }),
      acl: [...world.acl.of(calendar.id).values()],
      events: [...world.events.of(calendar.id).values()],
      ...listSeriesHistories(world, calendar.id),
    })),
  }
}
