/** Text as iCalendar writes it (RFC 5545, 3.3.11). */
export const escapeText = (text: string): string =>
  text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|\n|\r/g, '\\n')

/** The value of a parameter: in quotes where it has a sign that ends one. What no parameter can hold is left out. */
export const formatParameter = (text: string): string => {
  const plain = text.replace(/["\p{Cc}]/gu, ' ')
  return /[:;,]/.test(plain) ? `"${plain}"` : plain
}

/** So many bytes go on a line; what is more goes on in the next, behind a blank. */
const MAX_LINE_BYTES = 75

/** No line holds what would end it, nor any other sign that steers (RFC 5545, 3.1). */
const CONTROL_CHARACTERS = /[^\P{Cc}\t]/gu

/** Lines as they are sent: folded, and ended as the RFC has it. */
export const formatLines = (lines: readonly string[]): string =>
  lines.map((line) => `${foldLine(line.replace(CONTROL_CHARACTERS, ''))}\r\n`).join('')

function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line
  let [text, size] = ['', 0]
  for (const sign of line) {
    const bytes = Buffer.byteLength(sign)
    if (size + bytes > MAX_LINE_BYTES) {
      text += '\r\n '
      size = 1
    }
    text += sign
    size += bytes
  }
  return text
}
