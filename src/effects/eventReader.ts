import type { Composed } from '../model/events/fields.ts'
import type { WorldData } from '../model/worldData.ts'

/** Events by calendar and id: as they are stored, or as a write plan will leave them. */
export interface EventReader {
  readonly world: WorldData
  /** Returns the event with this id, or the unchanged instance of a series that the id names. */
  find(calendarId: string, id: string): Composed | undefined
  /** Returns the event with this id; an unchanged instance of a series has no record of its own. */
  record(calendarId: string, id: string): Composed | undefined
  /** Returns the ids of the changed instances of a series. */
  exceptionsOf(calendarId: string, masterId: string): readonly string[]
}

/** A reader that also orders the writes of events. */
export interface EventHistory extends EventReader {
  /** Returns a number that grows from each write of an event to the next; 0 where there is no record. */
  writtenAt(calendarId: string, id: string): number
}

/** Returns a reader of the stored events. */
export const storedEvents = (world: WorldData): EventReader => ({
  world,
  find: (calendarId, id) => world.events.of(calendarId).named(id),
  record: (calendarId, id) => world.events.of(calendarId).get(id),
  exceptionsOf: (calendarId, masterId) => world.events.of(calendarId).exceptionsOf(masterId),
})
