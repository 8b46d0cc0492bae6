/** Thrown for lines that the service rejects as an invalid recurrence rule (behaviour 4.2.1, 4.2.3, 14.18). */
export class InvalidRecurrenceError extends Error {
  override name = 'InvalidRecurrenceError'
}

export function rejectRecurrence(reason: string): never {
  throw new InvalidRecurrenceError(reason)
}
