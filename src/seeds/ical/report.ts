/** What reading a file left out or changed, and why: the line in the file, and the UID of the event where it has one. */
export type Remark = { uid?: string; line: number; reason: string }

/** Notes what cannot be said as it stands in a file. */
export type Report = (line: number, reason: string) => void

/** An event that no calendar of the service can hold: it is left out, and the report says why. */
export class UnsupportedEventError extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

/** A piece of a file as a remark quotes it. */
export const quote = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
