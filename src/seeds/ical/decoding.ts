import type { Report } from './report.ts'

/** The characters of windows-1252 from 0x80 to 0x9F. `TextDecoder` of Node 20.20 maps these bytes to control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Labels of encodings that are read as windows-1252, as the Encoding Standard has it. */
const WINDOWS_1252_LABEL = /^(windows-1252|cp-?1252|x-cp1252|iso-?8859-1|latin-?1|us-ascii|ascii)$/i

/** Broken bytes beyond this number are reported in one line. */
const MAX_REMARKS = 20

/**
 * Returns the text of a file in UTF-8, UTF-16 or windows-1252. A file that is not valid UTF-8 is read as windows-1252 if
 * it has more broken bytes than complete multi-byte sequences, and no byte order mark. Otherwise broken bytes become
 * U+FFFD and are reported.
 */
export function decodeText(bytes: Uint8Array, report: Report = () => undefined): string {
  const [first, second, third] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== undefined && second === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const isMarked = first === 0xef && second === 0xbb && third === 0xbf
    const { complete, brokenLines } = scanUtf8(bytes)
    if (!isMarked && brokenLines.length > complete) return decodeWindows1252(bytes)
    for (const line of brokenLines.slice(0, MAX_REMARKS))
      report(line, 'a byte that is not UTF-8 was replaced by U+FFFD')
    const more = brokenLines.length - MAX_REMARKS
    if (more > 0) report(brokenLines[MAX_REMARKS] ?? 0, `${more} more bytes that are not UTF-8 were replaced by U+FFFD`)
    return new TextDecoder('utf-8').decode(bytes)
  }
}

/** Returns the text of bytes in an encoding by its label; an unknown label is UTF-8. */
export function decodeCharset(bytes: Uint8Array, label: string): string {
  if (WINDOWS_1252_LABEL.test(label.trim())) return decodeWindows1252(bytes)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Decodes windows-1252. */
function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return latin1.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? sign)
}

/** Returns the number of complete sequences of two to four bytes, and the line of each broken byte. */
function scanUtf8(bytes: Uint8Array): { complete: number; brokenLines: number[] } {
  let [complete, line] = [0, 1]
  const brokenLines: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    if (byte === 0x0a || (byte === 0x0d && bytes[at + 1] !== 0x0a)) line++
    const length = byte < 0x80 ? 1 : sequenceLength(bytes, at)
    if (length > 1) complete++
    if (length === 0) brokenLines.push(line)
    at += length || 1
  }
  return { complete, brokenLines }
}

/** Returns the length of the multi-byte sequence that begins at a position; 0 for ASCII and for a broken one. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const [lead = 0, second = 0] = [bytes[at], bytes[at + 1]]
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  for (let more = 1; more < length; more++) if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 0
  // Overlong forms, surrogates, and code points above U+10FFFF.
  const isOutOfRange =
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f)
  return isOutOfRange ? 0 : length
}
