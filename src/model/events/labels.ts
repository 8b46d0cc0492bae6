import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { Calendar, CalendarBody } from '../../schema/calendar.ts'
import type { Event } from '../../schema/event.ts'
import type { WithoutNulls } from '../../schema/jsonSchema.ts'

type LabelProperties = WithoutNulls<CalendarBody>['labelProperties']

const MAX_LABELS = 200
const MAX_NAME_LENGTH = 50
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const FIELD = 'labelProperties.eventLabels'

/** Returns a calendar's labels as they are stored, or throws `invalidValue` (behaviour 12.9). */
export function readLabels(given: LabelProperties, newId: () => string): LabelProperties {
  const labels = given?.eventLabels ?? []
  if (labels.length > MAX_LABELS)
    throw apiError('invalidValue', { field: FIELD, problem: `more than ${MAX_LABELS} labels` })
  const eventLabels = labels.map(({ id, name, backgroundColor }, at) => {
    const field = `${FIELD}[${at}]`
    if (id && !UUID.test(id)) throw apiError('invalidValue', { field: `${field}.id`, problem: 'not a UUID' })
    if ((name?.length ?? 0) > MAX_NAME_LENGTH) {
      throw apiError('invalidValue', { field: `${field}.name`, problem: `longer than ${MAX_NAME_LENGTH} characters` })
    }
    if (backgroundColor && !/^#[0-9a-f]{6}$/i.test(backgroundColor)) {
      throw apiError('invalidValue', { field: `${field}.backgroundColor`, problem: 'not a color such as #0088aa' })
    }
    return { id: id || newId(), ...(backgroundColor && { backgroundColor }), ...(name && { name }) }
  })
  const ids = eventLabels.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw apiError('invalidValue', { field: FIELD, problem: 'one id for two labels' })
  return eventLabels.length > 0 ? { eventLabels } : undefined
}

/** The colours of labels that stand for the colours of events, in the order of their ids (behaviour 3.2.18). */
const PALETTE = [
  ...['#7986cb', '#33b679', '#8e24aa', '#e67c73', '#f6bf26', '#f4511e'],
  ...['#039be5', '#616161', '#3f51b5', '#0b8043', '#d50000'],
]

const labelsOf = ({ labelProperties }: Pick<Calendar, 'labelProperties'>) => labelProperties?.eventLabels ?? []

/** Returns the colour of an event with a label: that of the palette, or undefined if the label has another colour. */
export function colorOfLabel(calendar: Pick<Calendar, 'labelProperties'>, id: string): string | undefined {
  const label = labelsOf(calendar).find((one) => one.id === id)
  const position = PALETTE.indexOf(label?.backgroundColor?.toLowerCase() ?? '')
  return position === -1 ? undefined : String(position + 1)
}

/** Returns the id of the calendar's first label with the colour of an event, if there is one. */
export const labelOfColor = (calendar: Pick<Calendar, 'labelProperties'>, colorId: string): string | undefined =>
  labelsOf(calendar).find(({ backgroundColor }) => backgroundColor?.toLowerCase() === PALETTE[Number(colorId) - 1])?.id

/** Returns an event's label. Throws `invalidValue` for a new label that the calendar does not have. */
export function readLabel(
  calendar: Calendar,
  id: string | undefined,
  current: Pick<Event, 'eventLabelId'> | undefined,
) {
  if (!id || id === current?.eventLabelId) return id || undefined
  const known = calendar.labelProperties?.eventLabels?.some((label) => label.id === id)
  return known
    ? id
    : throwApiError('invalidValue', { field: 'eventLabelId', problem: `the calendar has no label ${id}` })
}
