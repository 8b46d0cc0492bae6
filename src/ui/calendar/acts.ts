import { signal } from '@preact/signals'
import type { EventApi } from 'fullcalendar'
import { tell } from '../parts/toasts.tsx'
import { refusalOf } from '../refused.ts'
import { go } from '../route.ts'
import { type Beside, titleOf } from './looks.ts'
import { changeOf, type Scope } from './series.ts'
import type { Instant, Shown } from './service.ts'
import { refresh, writable, zone } from './state.ts'
import { said, wallIn } from './times.ts'
import { perform } from './writes.ts'

/** What the form is open for: a new event, or one that there is. */
export type Draft = { calendarId: string; event?: Shown; start: Instant; end: Instant }
export const draft = signal<Draft | undefined>(undefined)

/** The event whose details are open; the address says it. */
export const openEvent = ({ calendarId, event }: Pick<Beside, 'calendarId' | 'event'>): void =>
  go({ item: `${calendarId}/${event.id}` })

/** A question how much of a series is meant, while somebody thinks about it. */
export const asking = signal<{ what: string; answer(scope: Scope | undefined): void } | undefined>(undefined)

/** Asks how much of a series is meant; of an event that is none, it alone. */
export async function scopeOf(event: Shown, what: string): Promise<Scope | undefined> {
  if (event.recurringEventId === undefined) return 'this'
  return new Promise((resolve) => {
    asking.value = {
      what,
      answer(scope) {
        asking.value = undefined
        resolve(scope)
      },
    }
  })
}

type Range = { start: Instant; end: Instant }

/** What was selected or dropped, as times of an event: by the clock of a zone. */
export const asRange = (
  { start, end, allDay }: { start: string; end: string; allDay: boolean },
  timeZone = zone.peek(),
): Range =>
  allDay
    ? { start: { date: start.slice(0, 10) }, end: { date: end.slice(0, 10) } }
    : { start: timed(start, timeZone), end: timed(end, timeZone) }

const timed = (at: string, timeZone: string): Instant => ({ dateTime: wallIn(timeZone, Date.parse(at)), timeZone })

export function openNew(range: Range): void {
  const [first] = writable.peek()
  if (first) draft.value = { calendarId: (writable.peek().find(({ primary }) => primary) ?? first).id, ...range }
  else tell({ text: 'There is no calendar on this list that you may write to' })
}

const HOUR = 3_600_000

type Dropped = { event: Pick<EventApi, 'startStr' | 'endStr' | 'start' | 'end' | 'allDay'>; revert(): void }

/** An event was dragged to another time or another length: it is written, or goes back to where it was. */
export async function dropped({ event: to, revert }: Dropped, { calendarId, event }: Beside): Promise<void> {
  const what = `Move “${titleOf(event)}”`
  const scope = await scopeOf(event, what)
  if (scope === undefined) return revert()
  // What is dragged from the days to the times has no end, and takes an hour; from the times to the days one day.
  const end = to.endStr || endOf(to)
  const range = asRange({ start: to.startStr, end, allDay: to.allDay }, event.start?.timeZone ?? zone.peek())
  const body = { start: nulled(range.start), end: nulled(range.end) }
  try {
    const steps = await changeOf(calendarId, event, body, scope)
    await perform(`Moved “${titleOf(event)}” to ${said(range.start, range.end, zone.peek())}`, steps)
  } catch (error) {
    revert()
    tell({ text: `Not moved: “${titleOf(event)}”`, refused: refusalOf(error) })
    refresh()
  }
}

function endOf({ start, allDay }: Dropped['event']): string {
  const from = start?.getTime() ?? 0
  return new Date(from + (allDay ? 24 * HOUR : HOUR)).toISOString()
}

/** In a patch a time of one kind stays beside one of the other, unless that is said to be none. */
export const nulled = (at: Instant): Instant =>
  ('date' in at ? { ...at, dateTime: null, timeZone: null } : { ...at, date: null }) as unknown as Instant
