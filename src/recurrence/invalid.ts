/** Thrown for lines that the service refuses as an invalid recurrence rule (behaviour 4.2, 14.17, 14.18). */
export class InvalidRecurrence extends Error {
  override name = 'InvalidRecurrence'
}

export function invalid(reason: string): never {
  throw new InvalidRecurrence(reason)
}
