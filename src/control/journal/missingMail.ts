import type { WorldData } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'
import { addressOf } from '../../schema/values/address.ts'
import type { Journal } from './journal.ts'
import { formatTarget, type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'

const WRITES = /^events\.(?:insert|quickAdd|patch|update|delete|move)$/

/** Returns a line on the last write of an event with guests whose parameters sent no mail, if there is one. */
export function explainMissingMail(journal: Journal, data: WorldData): string[] {
  const entry = journal
    .listEntries()
    .filter(({ method, status = 500 }) => WRITES.test(method) && status < 400)
    .findLast((one) => hasUnmailedGuests(data, toFullCall(one, journal.world)))
  if (!entry) return []
  const call = toRedactedCall(toFullCall(entry, journal.world))
  const found = call.params.sendUpdates === undefined ? 'no sendUpdates' : 'sendUpdates=none'
  return [`call ${call.n}, ${formatTarget(call)}, has ${found}, so it mailed none of its guests: add sendUpdates=all`]
}

function hasUnmailedGuests(data: WorldData, { params, response, account = '' }: RecordedCall): boolean {
  const { sendUpdates = params.sendNotifications === 'true' ? 'all' : 'none' } = params
  if (sendUpdates !== 'none') return false
  const place = String(params.destination ?? params.calendarId)
  const calendarId = addressOf(place === 'primary' ? account : place)
  const eventId = String(params.eventId ?? (response as Partial<Event> | undefined)?.id)
  const attendees = data.events.get(calendarId)?.named(eventId)?.attendees ?? []
  return attendees.some(({ email }) => addressOf(email) !== calendarId)
}
