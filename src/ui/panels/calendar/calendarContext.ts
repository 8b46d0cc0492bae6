import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ServiceEvent } from '../../api/types.ts'
import type { Draft } from './formFields.ts'
import type { Scope } from './seriesChange.ts'

/** The actions of the calendar panel for its parts. */
export type CalendarActions = {
  /** Opens the details of an event. The address names it. */
  openEvent(calendarId: string, eventId: string): void
  /** Opens the form. */
  edit(draft: Draft): void
  /**
   * Asks which instances of a series a change applies to. Resolves at once for other events, and to undefined if the
   * user cancels.
   */
  askScope(event: ServiceEvent, title: string): Promise<Scope | undefined>
}

export const CalendarContext = createContext<CalendarActions>({
  openEvent() {},
  edit() {},
  askScope: async () => undefined,
})

export const useCalendarActions = (): CalendarActions => useContext(CalendarContext)
