import type { Event, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const MOST_ATTENDEES = 200

/** How long each text of an event may be (behaviour 14.23). */
const LONGEST = { summary: 1024, location: 1024, description: 8192 } as const satisfies Partial<
  Record<keyof EventDraft, number>
>

/**
 * Refuses what a request makes too long, or too many. Seeds and imports are not asked, and what came by them may stay as
 * it is (behaviour 12.17).
 */
export function checkLimits(draft: EventDraft, current?: Event): void {
  for (const [field, longest] of Object.entries(LONGEST) as [keyof typeof LONGEST, number][]) {
    if (draft[field] !== current?.[field] && (draft[field]?.length ?? 0) > longest) {
      refuse('invalidValue', { field, problem: `longer than ${longest} characters` })
    }
  }
  if ((draft.attendees?.length ?? 0) > Math.max(MOST_ATTENDEES, current?.attendees?.length ?? 0)) {
    refuse('invalidValue', { field: 'attendees', problem: `more than ${MOST_ATTENDEES} attendees` })
  }
}
