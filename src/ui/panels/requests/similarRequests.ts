import type { Fault, RecordedCall } from '../../api/types.ts'

/** Returns which requests a fault matches if it is meant for requests like this one. */
export function similarRequests({ method, account, params }: RecordedCall): Omit<Fault, 'do'> {
  const { calendarId, eventId } = params
  return {
    on: method,
    ...(account !== undefined && { account }),
    ...(typeof calendarId === 'string' && { calendarId }),
    ...(typeof eventId === 'string' && { where: { params: { eventId } } }),
  }
}
