import type { Event } from '../wire/event.ts'
import { same } from '../wire/values/merge.ts'
import { type Composed, changedFields } from './fields.ts'
import { isMaster } from './series.ts'
import { spanOfTimes } from './times.ts'

/** The fields that an instance never takes from its series as they are. */
const OWN: readonly (keyof Event)[] = ['status', 'start', 'end', 'recurrence', 'sequence', 'attendees']
/** A write to a series: what it was, and what it is. */
export type Change = { before: Composed; after: Composed }

/** The fields that changed instances take from their series where they did not change them (behaviour 4.6.1). */
export const followedFields = ({ before, after }: Change): (keyof Event)[] =>
  changedFields(before, after).filter((field) => !OWN.includes(field))

/** Those of them in which an instance says what its series said. */
export const takenOver = (
  instance: Partial<Event>,
  before: Partial<Event>,
  fields: readonly (keyof Event)[],
): (keyof Event)[] => fields.filter((field) => same([instance[field]], [before[field]]))

const lengthOf = (event: Composed): number => {
  const { start, end } = spanOfTimes(event)
  return end - start
}

/** Whether a write ends what the changed instances of a series belong to. */
export const endsSeries = ({ before, after }: Change): boolean =>
  after.status === 'cancelled' ||
  !isMaster(after) ||
  (before.start.date === undefined) !== (after.start.date === undefined)

/** Whether a write may reach an instance other than by the fields that it follows. */
export const reachesInstances = (change: Change): boolean => {
  const { before, after } = change
  return (
    endsSeries(change) ||
    before.status !== after.status ||
    lengthOf(before) !== lengthOf(after) ||
    !same([before.attendees], [after.attendees])
  )
}
