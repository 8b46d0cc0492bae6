import type { Report } from './remarks.ts'

/** The characters of windows-1252 from 0x80 to 0x9F. `TextDecoder` of Node 20.20 maps these bytes to control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** A file is windows-1252 if it has more bytes that are not UTF-8 than characters outside of ASCII. */
export function decodeText(bytes: Uint8Array, report: Report = () => undefined): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== undefined && second === 0)) return decode(bytes, 'utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return decode(bytes, 'utf-16be')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const text = decode(bytes, 'utf-8')
    const broken = text.match(/\uFFFD/g)?.length ?? 0
    const complete = text.match(/[^\0-\x7F\uFFFD]/gu)?.length ?? 0
    if (first !== 0xef && broken > complete) return decode(bytes, 'windows-1252')
    const line = text.slice(0, text.indexOf('\uFFFD')).split(/\r\n?|\n/).length
    const what =
      broken === 1 ? 'a byte that is not UTF-8 was' : `this and ${broken - 1} more bytes that are not UTF-8 were`
    report(line, `${what} replaced by U+FFFD; save the file in UTF-8`)
    return text
  }
}

function decode(bytes: Uint8Array, label: string): string {
  const decoder = new TextDecoder(label)
  if (decoder.encoding !== 'windows-1252') return decoder.decode(bytes)
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return latin1.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? sign)
}

/** A text in an unknown charset is UTF-8. */
export function decodeQuotedPrintable(text: string, charset = 'utf-8'): string {
  const encoded = Buffer.from(text).toString('latin1')
  const decoded = encoded.replace(/=([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  const bytes = Buffer.from(decoded, 'latin1')
  try {
    return decode(bytes, charset)
  } catch {
    return decode(bytes, 'utf-8')
  }
}
