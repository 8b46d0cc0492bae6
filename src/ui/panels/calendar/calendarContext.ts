import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ServiceEvent } from '../../api/types.ts'
import type { Draft } from './formFields.ts'
import type { Scope } from './seriesChange.ts'

/** The actions of the calendar panel that its dialogs and tabs call. */
export type CalendarActions = {
  /** Opens the details of an event, and puts its ids into the address. */
  openEvent(calendarId: string, eventId: string): void
  /** Opens the form of an event. */
  edit(draft: Draft): void
  /**
   * Asks the user for the scope of a change to an instance. `title` is the action, such as `Delete “Standup”`. Resolves to
   * undefined if the user cancels, and to `this` without a question if the event is not an instance.
   */
  askScope(event: ServiceEvent, title: string): Promise<Scope | undefined>
}

export const CalendarContext = createContext<CalendarActions>({
  openEvent() {},
  edit() {},
  askScope: async () => undefined,
})

/** Returns the actions of the calendar panel. Outside of the panel they have no effect. */
export const useCalendarActions = (): CalendarActions => useContext(CalendarContext)
