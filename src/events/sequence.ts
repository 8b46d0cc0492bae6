import type { Event, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { same } from '../wire/values/merge.ts'
import type { Composed } from './fields.ts'
import { isMoved, type Times } from './times.ts'

/** A sequence that a write says must not be below the one reached (behaviour 3.2.7). */
export function sequenceOf(
  { sequence, status }: EventDraft,
  when: Times & Pick<Event, 'recurrence'>,
  current: Event | undefined,
): number {
  if (!current) return 0
  const reached = current.sequence ?? 0
  const asked = sequence ?? reached
  if (asked < reached) refuse('sequenceTooLow')
  const goes = status === 'cancelled' && current.status !== 'cancelled'
  const raises = goes || isMoved(current, when) || !same(current.recurrence, when.recurrence)
  return asked + (raises ? 1 : 0)
}

/** An event in its next sequence, which a deletion begins (behaviour 3.2.15). */
export const raised = (event: Composed): Composed => ({ ...event, sequence: (event.sequence ?? 0) + 1 })
