import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ServiceEvent } from '../../api/types.ts'
import type { Draft } from './formFields.ts'
import type { Scope } from './seriesChange.ts'

export type CalendarActions = {
  /** Puts the ids into the address. */
  openEvent(calendarId: string, eventId: string): void
  edit(draft: Draft): void
  /** Resolves to undefined on Cancel, and to `this` without a question if the event is no instance. */
  askScope(event: ServiceEvent, title: string): Promise<Scope | undefined>
}

export const CalendarContext = createContext<CalendarActions>({
  openEvent() {},
  edit() {},
  askScope: async () => undefined,
})

/** Outside of the panel the actions have no effect. */
export const useCalendarActions = (): CalendarActions => useContext(CalendarContext)
