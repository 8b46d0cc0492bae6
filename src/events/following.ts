import { same } from '../store/merge.ts'
import type { Event } from '../wire/event.ts'
import { type Composed, changedFields, eventInOrder, fieldsOf } from './fields.ts'
import { isMaster } from './series.ts'
import { spanOfTimes } from './times.ts'

/** The fields that an instance never takes from its series as they are. */
const OWN: readonly (keyof Event)[] = ['status', 'start', 'end', 'recurrence', 'sequence', 'attendees']
/** What of an instance others hang on than its readers: what it is looked up by, and what reminders are sent by. */
const FELT: readonly (keyof Event)[] = ['eventType', 'reminders']

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

/**
 * Whether the changed instances of a series can follow a write when they are read: nothing but what readers see changes,
 * and no guest has a copy of the series to be written.
 */
export const isFollowedInReading = (change: Change): boolean =>
  !reachesInstances(change) &&
  change.after.attendees === undefined &&
  !followedFields(change).some((field) => FELT.includes(field))

/** Worked out once for all instances that follow. */
const known = new WeakMap<Composed, { before: Composed; fields: (keyof Event)[] }>()

function fieldsIn(change: Change): (keyof Event)[] {
  const found = known.get(change.after)
  if (found?.before === change.before) return found.fields
  const fields = followedFields(change)
  known.set(change.after, { before: change.before, fields })
  return fields
}

/** A changed instance as writes to its series, one after the other, leave it. */
export function following(instance: Event, changes: readonly Change[]): Event {
  let follower: Partial<Event> = instance
  for (const change of changes) {
    const taken = takenOver(follower, change.before, fieldsIn(change))
    if (taken.length === 0) continue
    if (follower === instance) follower = { ...instance }
    Object.assign(follower, fieldsOf(change.after, taken))
  }
  return follower === instance ? instance : eventInOrder(follower as Event)
}
