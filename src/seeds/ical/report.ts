/**
 * A remark about omitted or changed content: the line in the file, the reason, and the UID of the event if it has one.
 */
export type Remark = { uid?: string; line: number; reason: string }

/** Records a remark about a line of the file. */
export type Report = (line: number, reason: string) => void

/** Thrown for an event that the service cannot hold. It is omitted and reported. */
export class UnsupportedEventError extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

/** Returns a piece of a file for a remark, cut after 60 characters. */
export const quote = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
