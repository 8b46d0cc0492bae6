const NORA = 'nora@lumen.example.com'
const OWEN = 'owen@lumen.example.com'

/** Arguments of the command for the world in which the tools are called. */
export const COMPANY_ARGUMENTS = ['--seed', 'company', '--now', '2030-03-04T08:00:00Z']

/**
 * Calls all nine tools as Nora of the demo company. Resolves to one value of each result, as in `EVERY_RESULT`.
 *
 * @param {import("./callEveryTool.d.ts").CallTool} call Calls a tool, and resolves to its structured content.
 * @returns {Promise<Record<string, unknown>>}
 */
export async function callEveryTool(call) {
  const lunch = { startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
  const day = { startTime: '2030-03-08T00:00:00', endTime: '2030-03-09T00:00:00' }
  const { calendars } = await call('list_calendars', { pageSize: 1 })
  const created = await call('create_event', { summary: 'Lunch', ...lunch, attendeeEmails: [OWEN] })
  const eventId = created.id
  const read = await call('get_event', { eventId })
  const updated = await call('update_event', { eventId, summary: 'Late lunch', notificationLevel: 'NONE' })
  const listed = await call('list_events', { ...day, fullText: 'late lunch' })
  const found = await call('search_events', { query: 'late lunch', pageSize: 1 })
  const { timeSlots } = await call('suggest_time', { ...day, attendeeEmails: ['primary', OWEN], durationMinutes: 60 })
  const answered = await call('respond_to_event', { eventId, responseStatus: 'declined' })
  const deleted = await call('delete_event', { eventId })
  return {
    list_calendars: calendars[0].id,
    create_event: created.summary,
    get_event: read.summary,
    update_event: updated.summary,
    list_events: listed.events.map(({ summary }) => summary),
    search_events: found.events.map(({ summary }) => summary),
    suggest_time: timeSlots.length,
    respond_to_event: answered.attendees.find(({ email }) => email === NORA).responseStatus,
    delete_event: deleted.status,
  }
}

/** The result of `callEveryTool`. Between 9:00 and 17:00 four whole hours are free: 9:45, 11:30, 13:30 and 14:30. */
export const EVERY_RESULT = {
  list_calendars: NORA,
  create_event: 'Lunch',
  get_event: 'Lunch',
  update_event: 'Late lunch',
  list_events: ['Late lunch'],
  search_events: ['Late lunch'],
  suggest_time: 4,
  respond_to_event: 'declined',
  delete_event: 'cancelled',
}
