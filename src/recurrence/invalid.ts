/** Thrown for lines that the service refuses as an invalid recurrence rule (behaviour 4.2.1, 4.2.3, 14.18). */
export class InvalidRecurrence extends Error {
  override name = 'InvalidRecurrence'
}

export function invalid(reason: string): never {
  throw new InvalidRecurrence(reason)
}
