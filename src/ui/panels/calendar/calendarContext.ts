import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ServiceEvent } from '../../api/types.ts'
import type { Draft } from './formFields.ts'
import type { Scope } from './seriesChange.ts'

/** What the parts of the calendar panel can do with it. */
export type CalendarActions = {
  /** Opens the details of an event. The address names it. */
  openEvent(calendarId: string, eventId: string): void
  /** Opens the form. */
  edit(draft: Draft): void
  /** Asks which instances of a series are meant. Other events have no question. Resolves to undefined if it is cancelled. */
  askScope(event: ServiceEvent, title: string): Promise<Scope | undefined>
}

export const CalendarContext = createContext<CalendarActions>({
  openEvent() {},
  edit() {},
  askScope: async () => undefined,
})

export const useCalendarActions = (): CalendarActions => useContext(CalendarContext)
