import { instanceId, isMaster, slotsFrom, slotsIn, slotTimes } from '../model/series.ts'
import { instantIn, windowOf } from '../model/times.ts'
import { DAY } from '../recurrence/days.ts'
import { instantOf, readingAt } from '../recurrence/zone.ts'
import type { Ref } from '../time/clock.ts'
import type { Event } from '../wire/event.ts'
import { sendMail, wantsNotification } from '../world/mail.ts'
import { remindersOf } from '../world/reminders.ts'
import { isWatching, SERVICE, watchersOf } from '../world/watchers.ts'
import type { StoredCalendar, World } from '../world/world.ts'

const MINUTE = 60_000
/** When the agenda of a day is sent, by the clock of whom it is for (behaviour 7.23). */
const MORNING = 5 * 60 * MINUTE

type Reminder = { instant: number; eventId: string }

/** What is due later on hangs on the agenda of the world's clock: of each event and account the next reminder alone. */
export function registerReminderTasks(world: World): void {
  world.clock.on('reminder', (ref) => {
    const [email = '', calendarId = '', eventId = ''] = ref
    const now = world.clock.now()
    const [calendar, event] = [world.calendars.get(calendarId), world.events.get(calendarId)?.get(eventId)]
    if (world.reminding.get(ref) !== now || !calendar || !event) return false
    world.reminding.delete(ref)
    const due = nextReminder(world, email, calendar, event, now - 1)
    schedule(world, 'reminder', ref, nextReminder(world, email, calendar, event, now)?.instant)
    if (due?.instant !== now) return false
    sendMail(world, { from: SERVICE, to: email, kind: 'reminder', calendarId, ...named(due.eventId, event) })
    return true
  })
  world.clock.on('agenda', (ref) => {
    const [email = '', calendarId = ''] = ref
    if (world.reminding.get(ref) !== world.clock.now()) return false
    world.reminding.delete(ref)
    scheduleAgenda(world, email, calendarId)
    const calendar = world.calendars.get(calendarId)
    if (!calendar || !world.reminding.has(ref)) return false
    const { summary } = calendar
    const events = eventsOfDay(world, calendar, zoneOf(world, email))
    sendMail(world, { from: SERVICE, to: email, kind: 'agenda', calendarId, summary, events })
    return true
  })
}

const named = (eventId: string, { summary }: Event) => ({ eventId, ...(summary && { summary }) })
const zoneOf = (world: World, email: string): string => world.accounts.get(email)?.timeZone ?? 'UTC'

function schedule(world: World, kind: 'reminder' | 'agenda', ref: Ref, instant: number | undefined): void {
  const before = world.reminding.get(ref)
  if (before === instant) return
  if (before !== undefined) world.clock.unschedule(before, { kind, ref })
  if (instant === undefined) world.reminding.delete(ref)
  if (instant === undefined) return
  world.reminding.set(ref, instant)
  const [email, calendarId, eventId] = ref
  const what = kind === 'agenda' ? `agenda of ${calendarId} to ${email}` : `reminder of ${eventId} to ${email}`
  world.clock.schedule(instant, { kind, ref, what })
}

/** Has everybody who wants to be reminded of an event by mail reminded. */
export function scheduleReminders(world: World, calendarId: string, event: Event): void {
  const calendar = world.calendars.get(calendarId)
  if (!calendar) return
  for (const email of watchersOf(world, calendarId)) {
    const next = nextReminder(world, email, calendar, event, world.clock.now())
    schedule(world, 'reminder', [email, calendarId, event.id], next?.instant)
  }
}

/** The same for all events of a calendar. */
export function scheduleAllReminders(world: World, calendarId: string): void {
  for (const event of world.events.of(calendarId).values()) scheduleReminders(world, calendarId, event)
}

/** How many minutes before an event an account wants a mail. */
function minutesOf(world: World, email: string, calendar: StoredCalendar, event: Event): number[] {
  const declined = event.attendees?.some((one) => one.email === email && one.responseStatus === 'declined')
  if (event.status === 'cancelled' || declined || !isWatching(world, email, calendar.id)) return []
  const own = remindersOf({ world, calendar, caller: { email } }, event)
  const { defaultReminders = [] } = world.lists.get(email)?.get(calendar.id) ?? {}
  const reminders = own?.useDefault ? defaultReminders : (own?.overrides ?? [])
  return reminders.flatMap(({ method, minutes }) => (method === 'email' && minutes !== undefined ? [minutes] : []))
}

/** The first mail that an account gets of an event, or of an instance that nobody changed, after a moment. */
function nextReminder(
  world: World,
  email: string,
  calendar: StoredCalendar,
  event: Event,
  after: number,
): Reminder | undefined {
  const all = minutesOf(world, email, calendar, event).flatMap((minutes) => {
    const ahead = minutes * MINUTE
    const found = firstAfter(world, calendar, event, after + ahead)
    return found ? [{ ...found, instant: found.instant - ahead }] : []
  })
  return all.sort((a, b) => a.instant - b.instant)[0]
}

/** What of an event starts first after a moment. */
function firstAfter(world: World, { id, timeZone }: StoredCalendar, event: Event, after: number): Reminder | undefined {
  const start = (one: Pick<Event, 'start'>) => instantIn(one.start, timeZone)
  if (!isMaster(event)) return start(event) > after ? { instant: start(event), eventId: event.id } : undefined
  for (const slot of slotsFrom(event, windowOf(after, undefined, timeZone))) {
    const [instant, eventId] = [start(slotTimes(event, slot)), instanceId(event, slot)]
    if (instant > after && !world.events.of(id).get(eventId)) return { instant, eventId }
  }
  return undefined
}

/** Has the agenda of a calendar sent in the morning, where an account's list asks for it. */
export function scheduleAgenda(world: World, email: string, calendarId: string): void {
  const wanted = wantsNotification(world, email, calendarId, 'agenda') && isWatching(world, email, calendarId)
  schedule(world, 'agenda', [email, calendarId], wanted ? nextMorning(world, zoneOf(world, email)) : undefined)
}

function nextMorning(world: World, zone: string): number {
  const now = world.clock.now()
  const today = Math.floor(readingAt(now, zone) / DAY) * DAY
  return [0, 1, 2].map((days) => instantOf(today + days * DAY + MORNING, zone)).find((instant) => instant > now) ?? now
}

/** The events of the day that it is, by their start. */
function eventsOfDay(world: World, { id, timeZone }: StoredCalendar, zone: string) {
  const today = Math.floor(readingAt(world.clock.now(), zone) / DAY) * DAY
  const window = windowOf(instantOf(today, zone), instantOf(today + DAY, zone), timeZone)
  const events = world.events.of(id)
  const found = [...events.records.inWindow(window)].flatMap(({ value }) => {
    if (value.status === 'cancelled') return []
    if (!isMaster(value)) return [{ ...named(value.id, value), start: value.start }]
    const slots = slotsIn(value, window).filter((slot) => !events.get(instanceId(value, slot)))
    return slots.map((slot) => ({ ...named(instanceId(value, slot), value), start: slotTimes(value, slot).start }))
  })
  return found.sort((a, b) => instantIn(a.start, timeZone) - instantIn(b.start, timeZone))
}
