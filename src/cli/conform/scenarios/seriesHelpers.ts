import type { Kit } from '../kit.ts'

/** The recurrence of a series of four days. */
export const DAILY = ['RRULE:FREQ=DAILY;COUNT=4']

/**
 * Creates a series of four days, from 9 to 10 on each. Returns the path of its events, its id, its other fields (`made`), and
 * `at`, which returns the id of the instance at a day and an hour.
 */
export async function createFourDaySeries(kit: Kit, body: object = {}) {
  const path = await kit.eventsPath()
  const { id, ...made } = await kit.createEvent({ summary: 'Series', recurrence: DAILY, ...body })
  return { path, id, made, at: (day: number, hour = 9) => `${id}_${toCompactInstant(kit.instant(hour, day))}` }
}

/** Returns an instant in the form of ids of instances: `20310106T090000Z`. */
export const toCompactInstant = (instant: string): string => instant.replace(/[-:]/g, '')
/** Returns the starts of events, as instants or dates. */
export const listStarts = (items: readonly { readonly [name: string]: unknown }[]) =>
  items.map(
    ({ start }) => (start as { dateTime?: string; date?: string }).dateTime ?? (start as { date?: string }).date,
  )

/**
 * Creates a series by these recurrence lines, and returns the starts of its instances in the scenario's week, separated by
 * commas. `times` are `start` and `end` of the first instance, by default from 9 to 10 on Monday.
 */
export async function listStartsOfRule(kit: Kit, recurrence: readonly string[], times: object = {}): Promise<string> {
  const { id } = await kit.createEvent({ recurrence, ...times })
  const query = { singleEvents: true, orderBy: 'startTime', ...kit.week() }
  const { items } = await kit.listAll(await kit.eventsPath(), query)
  return listStarts(items.filter(({ recurringEventId }) => recurringEventId === id)).join()
}

/** Returns the instants of 9 o'clock on days of the scenario's week, separated by commas. */
export const joinInstants = (kit: Kit, ...days: number[]) => days.map((day) => kit.instant(9, day)).join()
