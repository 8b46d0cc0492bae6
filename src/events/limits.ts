import { isRule, writtenLine } from '../recurrence/lines.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const MOST_ATTENDEES = 200

/** How long each text of an event may be (behaviour 14.23). */
const LONGEST = { summary: 1024, location: 1024, description: 8192 } as const satisfies Partial<
  Record<keyof EventDraft, number>
>

const TEXTS = Object.entries(LONGEST) as [keyof typeof LONGEST, number][]

/**
 * Refuses what a request makes too large. Seeds and imports are not asked, and what came by them may stay as it is
 * (behaviour 12.17).
 */
export function checkLimits(draft: EventDraft, current?: Event): void {
  for (const [field, longest] of TEXTS) {
    if ((draft[field]?.length ?? 0) > longest && draft[field] !== current?.[field]) refuse('tooLarge')
  }
  if ((draft.attendees?.length ?? 0) > Math.max(MOST_ATTENDEES, current?.attendees?.length ?? 0)) {
    refuse('invalidValue', { field: 'attendees', problem: `more than ${MOST_ATTENDEES} attendees` })
  }
}

/** A recurrence holds so much, wherever it comes from (behaviour 14.22). */
const MOST_LINES = 100
const MOST_RULES = 10
const LARGEST_RECURRENCE = 64 * 1024

/** The lines of a recurrence as they are stored, if there are any. */
export function readRecurrence(lines: readonly string[] = []): string[] | undefined {
  if (lines.length === 0) return undefined
  const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const rules = lines.filter(isRule).length
  if (lines.length > MOST_LINES || rules > MOST_RULES || size > LARGEST_RECURRENCE) refuse('tooLarge')
  return lines.map(writtenLine)
}
