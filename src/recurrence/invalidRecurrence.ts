/** Lines that the service rejects as an invalid recurrence rule (behaviour 4.2.1, 4.2.3, 14.18). */
export class InvalidRecurrenceError extends Error {
  override name = 'InvalidRecurrenceError'
}

/** The API does not show the reason; the import of an iCalendar file does. */
export function rejectRecurrence(reason: string): never {
  throw new InvalidRecurrenceError(reason)
}
