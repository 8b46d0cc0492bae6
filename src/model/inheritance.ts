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

/** What a field says as text: equal values say the same, in whatever order their names stand. */
const saidOf = (value: unknown): string => JSON.stringify(value, inOrderOfNames) ?? ''

const inOrderOfNames = (_: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** What a series no longer says after a write, of what its changed instances take from it. */
export const leftBy = (change: Change): [name: string, text: string][] =>
  followedFields(change).map((field) => [field, saidOf((change.before as Partial<Event>)[field])])

/** A changed instance as writes to its series leave it: what it says and the series has left becomes what that says in the end. */
export function following(
  instance: Event,
  names: readonly string[],
  isLeft: (name: string, text: string) => boolean,
  after: Composed,
): Event {
  const taken = (names as (keyof Event)[]).filter((field) => isLeft(field, saidOf(instance[field])))
  return taken.length === 0 ? instance : eventInOrder({ ...instance, ...fieldsOf(after, taken) })
}
