import { startIn } from '../db/indexes.ts'
import type { Tuple } from '../db/store.ts'
import type { Version } from '../db/version.ts'
import { hasReadableEntry, subscribersOf } from '../model/access.ts'
import type { EventCollection } from '../model/collections.ts'
import {
  instanceId,
  instanceNamed,
  isMaster,
  type Master,
  slotsFrom,
  slotsIn,
  slotTimes,
} from '../model/events/series.ts'
import { instantIn, windowOf } from '../model/events/times.ts'
import { accountsWithReminders, remindersOf } from '../model/reminders.ts'
import { accountZone, type StoredCalendar, type WorldData } from '../model/worldData.ts'
import { DAY_MS } from '../recurrence/days.ts'
import { instantOf, toLocalDay } from '../recurrence/zone.ts'
import type { Event } from '../schema/event.ts'
import { isSameAddress } from '../schema/values/address.ts'
import { mergeSorted } from '../sync/paging.ts'
import { SERVICE, sendMail, wantsNotification } from './mailbox.ts'

const MINUTE_MS = 60_000
/** The time of day at which the agenda is sent, in the account's time zone (behaviour 7.23). */
const AGENDA_TIME_MS = 5 * 60 * MINUTE_MS

/**
 * The tasks on the world's clock. `reminder` mails one event to one account. `defaultReminders` schedules the reminders
 * of all events of a calendar that are due for one account by its default reminders: only the next instant is on the
 * agenda, so that a list entry costs the same however many events the calendar has.
 */
type Task = 'reminder' | 'defaultReminders' | 'agenda'

type Occurrence = { start: number; eventId: string; event: Event }

export function registerReminderTasks(world: WorldData): void {
  register(world, 'reminder', (now, email, calendar, eventId) => sendReminder(world, now, email, calendar, eventId))
  register(world, 'defaultReminders', (now, email, calendar) => {
    for (const event of eventsDueByDefault(world, email, calendar, now))
      schedule(world, 'reminder', [email, calendar.id, event.id], now)
    scheduleDefaultReminders(world, email, calendar.id)
    return false
  })
  register(world, 'agenda', (_, email, calendar) => sendAgenda(world, email, calendar))
}

/** Registers a task. It runs only if its calendar exists and it was not rescheduled. */
function register(
  { clock, scheduledMail, calendars }: WorldData,
  task: Task,
  run: (now: number, email: string, calendar: StoredCalendar, eventId: string) => boolean,
): void {
  clock.on(task, (ref) => {
    const [email = '', calendarId = '', eventId = ''] = ref
    const now = clock.now()
    const calendar = calendars.get(calendarId)
    if (scheduledMail.get([task, ...ref]) !== now || !calendar) return false
    scheduledMail.delete([task, ...ref])
    return run(now, email, calendar, eventId)
  })
}

function schedule(world: WorldData, task: Task, ref: readonly string[], instant: number | undefined): void {
  const key: Tuple = [task, ...ref]
  const before = world.scheduledMail.get(key)
  if (before === instant) return
  if (before !== undefined) world.clock.unschedule(before, { kind: task, ref })
  if (instant === undefined) {
    world.scheduledMail.delete(key)
    return
  }
  world.scheduledMail.set(key, instant)
  const [email, calendarId, eventId] = ref
  const what = task === 'reminder' ? `reminder of ${eventId} to ${email}` : `agenda of ${calendarId} to ${email}`
  world.clock.schedule(instant, { kind: task, ref, what })
}

/**
 * Schedules the reminders of an event after a write to it. The cost grows with the accounts that set reminders for the
 * event and with those whose default reminders for the calendar include mail, not with the accounts of the world.
 */
export function scheduleReminders(world: WorldData, calendarId: string, event: Event): void {
  const calendar = world.calendars.get(calendarId)
  if (!calendar) return
  const now = world.clock.now()
  scheduleOverrides(world, calendar, event)
  for (const email of subscribersOf(world, calendarId, 'reminders')) {
    const next = nextReminder(world, calendar, event, defaultMinutes(world, email, calendar, event), now)
    const scheduled = world.scheduledMail.get(['defaultReminders', email, calendarId])
    if (next && next.instant < (scheduled ?? Number.POSITIVE_INFINITY))
      schedule(world, 'defaultReminders', [email, calendarId], next.instant)
  }
}

function scheduleOverrides(world: WorldData, calendar: StoredCalendar, event: Event): void {
  for (const email of accountsWithReminders(world, calendar.id, event)) {
    const minutes = overrideMinutes(world, email, calendar, event)
    const next = nextReminder(world, calendar, event, minutes, world.clock.now())
    schedule(world, 'reminder', [email, calendar.id, event.id], next?.instant)
  }
}

export function scheduleAllReminders(world: WorldData, calendarId: string): void {
  const calendar = world.calendars.get(calendarId)
  if (!calendar) return
  for (const event of world.events.of(calendarId).values()) scheduleOverrides(world, calendar, event)
  for (const email of subscribersOf(world, calendarId, 'reminders')) scheduleDefaultReminders(world, email, calendarId)
}

export function scheduleDefaultReminders(world: WorldData, email: string, calendarId: string): void {
  const calendar = world.calendars.get(calendarId)
  const next = calendar && nextDefaultReminder(world, email, calendar, world.clock.now())
  schedule(world, 'defaultReminders', [email, calendarId], next)
}

function sendReminder(
  world: WorldData,
  now: number,
  email: string,
  calendar: StoredCalendar,
  eventId: string,
): boolean {
  const event = world.events.get(calendar.id)?.get(eventId)
  if (!event) return false
  const overrides = overrideMinutes(world, email, calendar, event)
  const minutes = [...overrides, ...defaultMinutes(world, email, calendar, event)]
  const due = nextReminder(world, calendar, event, minutes, now - 1)
  const next = nextReminder(world, calendar, event, overrides, now)
  schedule(world, 'reminder', [email, calendar.id, eventId], next?.instant)
  if (due?.instant !== now || !hasReadableEntry(world, email, calendar.id)) return false
  const events = world.events.of(calendar.id).records
  const occurrence = events.get(due.eventId) ?? instanceNamed(due.eventId, events, calendar.id)
  sendMail(world, { from: SERVICE, to: email, kind: 'reminder', calendarId: calendar.id }, occurrence)
  return true
}

const withSummary = (eventId: string, { summary }: Event) => ({ eventId, ...(summary && { summary }) })

function overrideMinutes(world: WorldData, email: string, calendar: StoredCalendar, event: Event): number[] {
  const own = remindersToSend(world, email, calendar, event)
  return own && !own.useDefault ? mailMinutes(own.overrides) : []
}

function defaultMinutes(world: WorldData, email: string, calendar: StoredCalendar, event: Event): number[] {
  const own = remindersToSend(world, email, calendar, event)
  return own?.useDefault ? mailMinutes(defaultRemindersOf(world, email, calendar.id)) : []
}

function remindersToSend(world: WorldData, email: string, calendar: StoredCalendar, event: Event) {
  const isDeclined = event.attendees?.some(
    (one) => isSameAddress(one.email, email) && one.responseStatus === 'declined',
  )
  return event.status === 'cancelled' || isDeclined
    ? undefined
    : remindersOf({ world, calendar, caller: { email } }, event)
}

const defaultRemindersOf = (world: WorldData, email: string, calendarId: string) =>
  world.lists.get(email)?.get(calendarId)?.defaultReminders

type ReminderMethods = readonly { method?: string | undefined; minutes?: number | undefined }[]

const mailMinutes = (reminders: ReminderMethods = []): number[] =>
  reminders.flatMap(({ method, minutes }) => (method === 'email' && minutes !== undefined ? [minutes] : []))

function nextReminder(
  world: WorldData,
  calendar: StoredCalendar,
  event: Event,
  minutes: readonly number[],
  after: number,
): { instant: number; eventId: string } | undefined {
  let next: { instant: number; eventId: string } | undefined
  for (const before of minutes.map((count) => count * MINUTE_MS)) {
    const found = firstAfter(world.events.of(calendar.id), calendar, event, after + before)
    if (found && found.start - before < (next?.instant ?? Number.POSITIVE_INFINITY))
      next = { instant: found.start - before, eventId: found.eventId }
  }
  return next
}

function firstAfter(
  events: EventCollection,
  { timeZone }: StoredCalendar,
  event: Event,
  after: number,
): Occurrence | undefined {
  const start = instantIn(event.start, timeZone)
  if (!isMaster(event)) return start > after ? { start, eventId: event.id, event } : undefined
  for (const one of unchangedInstances(events, event, timeZone, after)) if (one.start > after) return one
  return undefined
}

function* unchangedInstances(
  events: EventCollection,
  event: Master,
  timeZone: string,
  after: number,
): Generator<Occurrence> {
  for (const slot of slotsFrom(event, windowOf(after, undefined, timeZone))) {
    const eventId = instanceId(event, slot)
    if (!events.get(eventId)) yield { start: instantIn(slotTimes(event, slot).start, timeZone), eventId, event }
  }
}

function nextDefaultReminder(
  world: WorldData,
  email: string,
  calendar: StoredCalendar,
  after: number,
): number | undefined {
  const instants = mailMinutes(defaultRemindersOf(world, email, calendar.id)).flatMap((minutes) => {
    const before = minutes * MINUTE_MS
    for (const { start, event } of occurrencesFrom(world, calendar, after + before + 1)) {
      if (defaultMinutes(world, email, calendar, event).length > 0) return [start - before]
    }
    return []
  })
  return instants.length > 0 ? Math.min(...instants) : undefined
}

function eventsDueByDefault(world: WorldData, email: string, calendar: StoredCalendar, instant: number): Event[] {
  const { records } = world.events.of(calendar.id)
  const due = new Map<string, Event>()
  for (const minutes of mailMinutes(defaultRemindersOf(world, email, calendar.id))) {
    const start = instant + minutes * MINUTE_MS
    for (const one of occurrencesFrom(world, calendar, start)) {
      if (one.start > start) break
      if (defaultMinutes(world, email, calendar, one.event).length > 0) due.set(one.event.id, one.event)
    }
  }
  const placeOf = ({ id }: Event) => records.version(id)?.ordinal ?? 0
  return [...due.values()].sort((a, b) => placeOf(a) - placeOf(b))
}

type Stream = Iterable<{ sortKey: readonly [number]; occurrence?: Occurrence; opens?: () => Stream }>

/** Yields occurrences by their start, and reads only these. */
function* occurrencesFrom(world: WorldData, calendar: StoredCalendar, from: number): Generator<Occurrence> {
  const { timeZone } = calendar
  const events = world.events.of(calendar.id)
  const { records } = events
  const window = windowOf(from - 1, undefined, timeZone)
  const toEntry = (occurrence: Occurrence) => ({ sortKey: [occurrence.start] as const, occurrence })

  function* singles(bucket: number): Stream {
    for (const { value } of records.inBucket(bucket, window, { from: startIn(bucket, from) }))
      yield toEntry({ start: instantIn(value.start, timeZone), eventId: value.id, event: value })
  }

  function* series(bucket: number): Stream {
    for (const { version, earliest } of records.recurringInBucket(bucket, window))
      yield { sortKey: [startIn(bucket, earliest)], opens: () => instances(version) }
  }

  function* instances({ value }: Version<Event>): Stream {
    for (const one of unchangedInstances(events, value as Master, timeZone, from - 1)) yield toEntry(one)
  }

  const live = { includeCancelled: false }
  const streams = [...[...records.buckets(live)].map(singles), ...records.recurringBuckets(live).map(series)]
  for (const { occurrence } of mergeSorted(streams)) if (occurrence && occurrence.start >= from) yield occurrence
}

export function scheduleAgenda(world: WorldData, email: string, calendarId: string): void {
  const isWanted = wantsNotification(world, email, calendarId, 'agenda') && hasReadableEntry(world, email, calendarId)
  schedule(world, 'agenda', [email, calendarId], isWanted ? nextAgenda(world, accountZone(world, email)) : undefined)
}

function nextAgenda(world: WorldData, zone: string): number {
  const now = world.clock.now()
  const today = toLocalDay(now, zone)
  const mornings = [0, 1, 2].map((days) => instantOf(today + days * DAY_MS + AGENDA_TIME_MS, zone))
  return mornings.find((instant) => instant > now) ?? now
}

function sendAgenda(world: WorldData, email: string, calendar: StoredCalendar): boolean {
  scheduleAgenda(world, email, calendar.id)
  if (!world.scheduledMail.has(['agenda', email, calendar.id])) return false
  const events = eventsOfDay(world, calendar, accountZone(world, email))
  const { id: calendarId, summary } = calendar
  sendMail(world, { from: SERVICE, to: email, kind: 'agenda', calendarId, summary, events })
  return true
}

function eventsOfDay(world: WorldData, { id, timeZone }: StoredCalendar, zone: string) {
  const today = toLocalDay(world.clock.now(), zone)
  const window = windowOf(instantOf(today, zone), instantOf(today + DAY_MS, zone), timeZone)
  const events = world.events.of(id)
  const found = [...events.records.inWindow(window)].flatMap(({ value }) => {
    if (value.status === 'cancelled') return []
    if (!isMaster(value)) return [{ ...withSummary(value.id, value), start: value.start }]
    const slots = slotsIn(value, window).filter((slot) => !events.get(instanceId(value, slot)))
    return slots.map((slot) => ({
      ...withSummary(instanceId(value, slot), value),
      start: slotTimes(value, slot).start,
    }))
  })
  return found.sort((a, b) => instantIn(a.start, timeZone) - instantIn(b.start, timeZone))
}
