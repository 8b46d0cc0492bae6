/** A line of a calendar: as it is, or a name with a text that is escaped while it is written. */
export type OutputLine = string | { name: string; text: string }

/** Escapes a text value (RFC 5545, 3.3.11). */
export const escapeText = (text: string): string =>
  text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|\n|\r/g, '\\n')

/** Formats a parameter value, in quotes where it needs them. Characters that no parameter can hold become spaces. */
export const formatParameter = (text: string): string => {
  const plain = text.replace(/["\p{Cc}]/gu, ' ')
  return /[:;,]/.test(plain) ? `"${plain}"` : plain
}

/** Bytes of a line before it is folded (RFC 5545, 3.1). */
const MAX_LINE_BYTES = 75

/** Characters of a text that are formatted at once, so that a long line needs no copy of itself. */
const SLICE_LENGTH = 16_384

const CHUNK_LENGTH = 65_536

/** Control characters other than tabs, which no line may hold (RFC 5545, 3.1). */
const CONTROL_CHARACTERS = /[^\P{Cc}\t]/gu

/** Yields lines as they are sent, in chunks: without control characters, folded, and ended by CRLF. */
export function* formatLines(lines: Iterable<OutputLine>): Generator<string> {
  let parts: string[] = []
  let length = 0
  for (const line of lines) {
    for (const piece of formatOutputLine(line)) {
      parts.push(piece)
      length += piece.length
      if (length < CHUNK_LENGTH) continue
      yield parts.join('')
      parts = []
      length = 0
    }
  }
  if (length > 0) yield parts.join('')
}

function* formatOutputLine(line: OutputLine): Generator<string> {
  const isText = typeof line !== 'string'
  if (isText && line.text === '') return yield `${line.name}:\r\n`
  const whole = isText ? line.text : line
  let size = 0
  if (isText) {
    size = line.name.length + 1
    yield `${line.name}:`
  }
  for (let at = 0; at < whole.length; ) {
    const end = findSliceEnd(whole, at + SLICE_LENGTH)
    const slice = whole.slice(at, end)
    const folded = foldPart((isText ? escapeText(slice) : slice).replace(CONTROL_CHARACTERS, ''), size)
    yield folded.text
    size = folded.size
    at = end
  }
  yield '\r\n'
}

function findSliceEnd(text: string, end: number): number {
  const isSplit = /[\uDC00-\uDFFF\n]/.test(text[end] ?? '')
  return Math.min(isSplit ? end + 1 : end, text.length)
}

/**
 * Folds a part of a line whose last physical line already has `before` bytes. Returns the text and the bytes of its
 * last physical line.
 */
function foldPart(part: string, before: number): { text: string; size: number } {
  const folded: string[] = []
  let [size, from, at] = [before, 0, 0]
  while (at < part.length) {
    const code = part.codePointAt(at) ?? 0
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (size + bytes > MAX_LINE_BYTES) {
      folded.push(part.slice(from, at), '\r\n ')
      from = at
      size = 1
    }
    size += bytes
    at += code < 0x10000 ? 1 : 2
  }
  folded.push(part.slice(from))
  return { text: folded.join(''), size }
}
