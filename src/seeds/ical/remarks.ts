import { limitLines } from '../../schema/values/limitLines.ts'
import { shorten } from '../../schema/values/shownText.ts'
/** `reason` is a sentence on what happened, why, and what to do. `uid` is that of the event, if it has one. */
export type Remark = { uid?: string; line: number; reason: string }

export type Report = (line: number, reason: string) => void

/** The event is left out and reported: "the event was left out, because" and the message. */
export class UnsupportedEventError extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

export const quoteForRemark = (text: string): string => `"${shorten(text)}"`

export const formatRemarks = (remarks: readonly Remark[]): string[] =>
  limitLines(
    remarks.map(({ uid, line, reason }) => `line ${line}${uid === undefined ? '' : `, ${shorten(uid)}`}: ${reason}`),
  )
