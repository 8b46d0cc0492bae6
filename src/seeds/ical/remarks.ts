/**
 * A remark about content that was left out, ignored or changed: the line in the file, a sentence in `reason` on what
 * happened, why, and what to do, and the UID of the event if it has one.
 */
export type Remark = { uid?: string; line: number; reason: string }

export type Report = (line: number, reason: string) => void

/**
 * Thrown for an event that the service cannot hold. It is left out and reported: "the event was left out, because" and
 * the message.
 */
export class UnsupportedEventError extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

export const cutForRemark = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

export const quoteForRemark = (text: string): string => `"${cutForRemark(text)}"`

export const formatRemark = ({ uid, line, reason }: Remark): string =>
  `line ${line}${uid === undefined ? '' : `, ${cutForRemark(uid)}`}: ${reason}`
