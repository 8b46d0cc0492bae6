import type { Event, EventDraft } from '../wire/event.ts'
import { same } from '../wire/values/merge.ts'
import { PROPERTIES, TYPES, yearlyRule } from './types.ts'

/** A draft with what follows from its type: the type itself, the defaults of its properties, and its summary. */
export function typed(draft: EventDraft, current: Event | undefined): EventDraft {
  const eventType = draft.eventType ?? current?.eventType ?? 'default'
  const properties = readProperties(draft, eventType, current)
  const { summary: titled } = TYPES[eventType]
  const own = draft.summary && draft.summary !== (current && titled?.(current)) ? draft.summary : undefined
  const moves = eventType === 'birthday' && current && same([draft.recurrence], [current.recurrence])
  const recurrence = moves && draft.recurrence && draft.start ? [yearlyRule({ start: draft.start })] : draft.recurrence
  const summary = own ?? titled?.({ ...draft, ...properties }) ?? draft.summary
  return Object.assign({}, draft, properties, { eventType, recurrence, summary })
}

function readProperties(
  draft: EventDraft,
  eventType: EventDraft['eventType'],
  current: Event | undefined,
): Partial<EventDraft> {
  const { focusTimeProperties, outOfOfficeProperties, workingLocationProperties: place } = draft
  const declining = { autoDeclineMode: 'declineNone' } as const
  if (eventType === 'focusTime' && focusTimeProperties) {
    return { focusTimeProperties: { ...declining, ...focusTimeProperties } }
  }
  if (eventType === 'outOfOffice' && outOfOfficeProperties) {
    return { outOfOfficeProperties: { ...declining, ...outOfOfficeProperties } }
  }
  if (eventType === 'workingLocation' && place?.type) {
    const detail = place.type === 'homeOffice' ? {} : (place[place.type] ?? {})
    return { workingLocationProperties: { type: place.type, [place.type]: detail } }
  }
  if (eventType === 'birthday') {
    const { type = 'birthday', contact, customTypeName } = current?.birthdayProperties ?? draft.birthdayProperties ?? {}
    return { birthdayProperties: { ...(contact && { contact }), type, ...(customTypeName && { customTypeName }) } }
  }
  return {}
}

/** A draft as an event of the default type, which is what an import makes of any (behaviour 8.15). */
export function asPlain(draft: EventDraft): EventDraft {
  const plain: EventDraft = { ...draft, eventType: 'default' }
  for (const properties of PROPERTIES) delete plain[properties]
  return plain
}
