import type { Calendar, CalendarBody } from '../wire/calendar.ts'
import type { Event } from '../wire/event.ts'
import type { Solid } from '../wire/json.ts'
import { refuse } from '../wire/refusals.ts'

type LabelProperties = Solid<CalendarBody>['labelProperties']

const MOST = 200
const LONGEST_NAME = 50
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const FIELD = 'labelProperties.eventLabels'

/** A calendar's labels as stored: 200 at most, each with a UUID of its own and a short name (behaviour 12.9). */
export function readLabels(given: LabelProperties, newId: () => string): LabelProperties {
  const labels = given?.eventLabels ?? []
  if (labels.length > MOST) refuse('invalidValue', { field: FIELD, problem: `more than ${MOST} labels` })
  const eventLabels = labels.map(({ id, name, backgroundColor }, at) => {
    const field = `${FIELD}[${at}]`
    if (id && !UUID.test(id)) refuse('invalidValue', { field: `${field}.id`, problem: 'not a UUID' })
    if ((name?.length ?? 0) > LONGEST_NAME) {
      refuse('invalidValue', { field: `${field}.name`, problem: `longer than ${LONGEST_NAME} characters` })
    }
    if (backgroundColor && !/^#[0-9a-f]{6}$/i.test(backgroundColor)) {
      refuse('invalidValue', { field: `${field}.backgroundColor`, problem: 'not a color such as #0088aa' })
    }
    return { id: id || newId(), ...(name && { name }), ...(backgroundColor && { backgroundColor }) }
  })
  const ids = eventLabels.map(({ id }) => id)
  if (new Set(ids).size < ids.length) refuse('invalidValue', { field: FIELD, problem: 'one id for two labels' })
  return eventLabels.length > 0 ? { eventLabels } : undefined
}

/** An event's label must be one of its calendar's, unless the event has it already and the calendar has dropped it since. */
export function readLabel(
  calendar: Calendar,
  id: string | undefined,
  current: Pick<Event, 'eventLabelId'> | undefined,
) {
  if (!id || id === current?.eventLabelId) return id || undefined
  const known = calendar.labelProperties?.eventLabels?.some((label) => label.id === id)
  return known ? id : refuse('invalidValue', { field: 'eventLabelId', problem: `the calendar has no label ${id}` })
}
