import { TOKEN_LIFE } from '../db/changeLog.ts'
import type { Collection } from '../db/collection.ts'
import { lifeAt } from '../db/epoch.ts'
import type { Revision } from '../db/version.ts'
import { conferenceState } from '../effects/conferences.ts'
import { scheduleAgenda, scheduleAllReminders } from '../effects/reminders.ts'
import { isMaster } from '../model/series.ts'
import type { AclRule } from '../wire/aclRule.ts'
import type { CalendarListEntry } from '../wire/calendarListEntry.ts'
import type { Event } from '../wire/event.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import type { Setting } from '../wire/setting.ts'
import { without } from '../wire/values/merge.ts'
import type { Channel } from '../world/channel.ts'
import { putReminders, remindersByAccount, type SeededReminders } from '../world/reminders.ts'
import { addSettings } from '../world/settings.ts'
import type { Account, StoredCalendar, World } from '../world/world.ts'
import { oauthOf } from './oauthSeeds.ts'

/**
 * What lists of changes know of a series beside what it is: when it began, and what it was. Where its instances are
 * listed, those that it no longer has follow from that.
 */
type SeriesPast = { id: string; born: Revision; former?: { until: Revision; event: Event }[] }

/** A seed that holds a whole world, its records as they were stored. Only it says where the counters stood. */
export type State = Omit<Seed, 'counters' | 'accounts' | 'calendars' | 'channels'> & {
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
    series?: SeriesPast[]
  })[]
  channels?: (Omit<Channel, 'eventTypes'> & { eventTypes?: string[]; messages?: number; lastMessage?: number })[]
}

export const isState = (seed: Seed): seed is State => seed.counters !== undefined

/** Puts every record back as it was, to the etag. */
export function restore(
  world: World,
  { accounts = [], groups = [], calendars = [], tokens = [], channels = [] }: State,
): void {
  for (const { messages: made = 0, lastMessage: last = made, ...channel } of channels) {
    world.channels.restore(channel.id, channel, 0)
    if (made > 0) world.messageCounts.set(channel.id, { made, last })
  }
  for (const { calendarList = [], settings, reminders = [], timeZone = 'UTC', ...account } of accounts) {
    const { email, kind } = account
    world.accounts.restore(email, { ...account, timeZone }, 0)
    for (const own of reminders) putReminders(world, email, own)
    putBack(world.lists.of(email), calendarList)
    addSettings(world, email, { timezone: timeZone, kind })
    if (Array.isArray(settings)) putBack(world.settings.of(email), settings)
  }
  for (const group of groups) world.groups.restore(group.email, group, 0)
  for (const grant of tokens) world.grants.restore(grant.token, grant, 0)
  for (const { acl = [], events = [], series = [], client, ...calendar } of calendars) {
    if (client !== undefined) world.makers.set(calendar.id, client)
    putBack(world.calendars, [without(calendar, 'owner')])
    putBack(world.acl.of(calendar.id), acl)
    const known = world.events.of(calendar.id)
    putBack(known, events, { factor: 2, born: new Map(series.map(({ id, born }) => [id, born])) })
    for (const { id, born, former = [] } of series) {
      for (const { until, event } of former) known.restoreFormer({ id, born, value: { ...event } }, until)
    }
  }
  for (const { id } of calendars) scheduleAllReminders(world, id)
  for (const { email, calendarList = [] } of accounts) {
    for (const { id } of calendarList) scheduleAgenda(world, email, id)
  }
}

/** The pasts of a calendar's series, as far as a sync token may reach back. */
function pastsOf(world: World, calendarId: string): { series?: SeriesPast[] } {
  const { records } = world.events.of(calendarId)
  const pasts = new Map<string, SeriesPast>()
  for (const { id } of [...records.values()].filter(isMaster)) {
    const { born = 0, revision } = records.version(id) ?? {}
    if (born !== revision) pasts.set(id, { id, born })
  }
  for (const { until, version } of records.former.since(world.changes.latest - TOKEN_LIFE * 1000)) {
    const { id, born } = version
    const past = pasts.get(id) ?? { id, born }
    pasts.set(id, { ...past, former: [...(past.former ?? []), { until, event: version.value }] })
  }
  return pasts.size > 0 ? { series: [...pasts.values()] } : {}
}

/** The last write that changed `updated`: the one of the etag, unless `updated` shows an earlier millisecond. */
function touchedOf(record: object, revision: Revision): Revision | undefined {
  const shown = 'updated' in record ? Date.parse(String(record.updated)) : Number.NaN
  return shown < Math.floor(revision / 1000) ? shown * 1000 : undefined
}

/** An etag tells the revision that wrote its record, as it is or, of an event, doubled. */
function putBack<T extends { id: string; etag: string }>(
  collection: Collection<T>,
  records: readonly T[],
  { factor = 1, born }: { factor?: number; born?: ReadonlyMap<string, Revision> } = {},
): void {
  for (const record of records) {
    const revision = Number(record.etag.replaceAll('"', '')) / factor
    collection.restore(record.id, { ...record }, revision, {
      born: born?.get(record.id),
      touched: touchedOf(record, revision),
    })
  }
}

/** How many messages a channel has had, and the number of the last one. */
function countOf({ messageCounts }: World, { id }: Channel) {
  const { made, last } = messageCounts.get(id) ?? { made: 0, last: 0 }
  return { messages: made, lastMessage: last }
}

/** A seed that restores exactly this world. */
export function stateOf(world: World): State {
  const { changes, clock } = world
  const { line, number, former } = lifeAt(world.life, changes.latest)
  const reminders = remindersByAccount(world)
  const clientOf = (id: string) => world.makers.get(id)
  return {
    clock: clock.state(),
    counters: {
      revision: changes.latest,
      forgotten: changes.forgotten,
      life: { line, number, former: former.map((one) => ({ ...one })) },
      ids: world.store.counters.ids,
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
    mail: world.mail.values(),
    ...(world.apiKeys.size > 0 && { apiKeys: world.apiKeys.keys() }),
    ...oauthOf(world),
    ...(world.files.size > 0 && { files: world.files.entries().map(([id, file]) => ({ id, ...file })) }),
    channels: [...world.channels.values()].map(({ eventTypes, originWorld: _origin, ...channel }) => ({
      ...channel,
      ...(eventTypes && { eventTypes: [...eventTypes] }),
      ...countOf(world, channel),
    })),
    calendars: [...world.calendars.values()].map((calendar) => ({
      ...calendar,
      ...(clientOf(calendar.id) !== undefined && { client: clientOf(calendar.id) }),
      acl: [...world.acl.of(calendar.id).values()],
      events: [...world.events.of(calendar.id).values()],
      ...pastsOf(world, calendar.id),
    })),
  }
}
