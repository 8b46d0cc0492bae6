import { checkSeriesId, composeWrite, newOrigin, readDraft, type WriteParams } from '../../effects/write/compose.ts'
import { writeEvent } from '../../effects/writeEvent.ts'
import { type Access, isPrimary } from '../../model/access.ts'
import { identify } from '../../model/events/series.ts'
import { checkInsert } from '../../model/events/types.ts'
import { apiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { Event, EventBody, EventDraft } from '../../schema/event.ts'

/**
 * Fields that a query parameter enables, such as attachments, come from `readGatedFields`. Throws `duplicate` for a
 * used id, `invalidValue` for the status `cancelled`, and others for fields that are invalid or that the caller may not
 * set.
 */
export function insertEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const draft = readDraft(access, {}, { body, params, how: 'insert' })
  checkInsert(draft)
  checkSeriesId(body)
  requireSupportedType(access, draft)
  if (draft.status === 'cancelled') throwInvalidValue('status', 'a new event cannot have the status cancelled')
  const identity = identify(world.ids, draft)
  if (world.events.of(calendar.id).get(identity.id)) throw apiError('duplicate')
  return writeEvent(access, undefined, composeWrite(access, { body }, draft, newOrigin(access, identity)), params)
}

const STATUS_TYPES: readonly (string | undefined)[] = ['focusTime', 'outOfOffice', 'workingLocation']

/**
 * Throws `eventTypeRestriction` for a status event on a consumer's primary calendar in strict mode. The behaviour of the
 * service is unknown, so only strict mode refuses these events (behaviour 14.37).
 */
function requireSupportedType({ world, calendar, caller }: Access, { eventType }: EventDraft): void {
  const isConsumer = isPrimary(world, calendar.id) && world.accounts.get(calendar.id)?.kind !== 'workspace'
  if (caller.strict && isConsumer && STATUS_TYPES.includes(eventType))
    throw apiError('eventTypeNotSupported', { what: "A consumer's calendar" })
}
