/** Values in DER (ITU-T X.690), as far as certificates need them. */
function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag), encodeLength(content.length), content])
}

const MAX_SHORT_LENGTH = 0x7f

function encodeLength(length: number): Uint8Array {
  if (length <= MAX_SHORT_LENGTH) return Uint8Array.of(length)
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Uint8Array.of(0x80 | bytes.length), bytes])
}

export const TRUE = encode(0x01, Uint8Array.of(0xff))
export const sequence = (...parts: readonly Uint8Array[]): Buffer => encode(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => encode(0x31, ...parts)
/** A positive integer whose first digit is at most 7. */
export const integer = (hex: string): Buffer => encode(0x02, Buffer.from(hex, 'hex'))
export const encodeText = (value: string): Buffer => encode(0x0c, Buffer.from(value))
export const octets = (value: Uint8Array): Buffer => encode(0x04, value)
/** `unused` is the number of bits at the end that do not belong to the value. */
export const bits = (value: Uint8Array, unused = 0): Buffer => encode(0x03, Uint8Array.of(unused), value)
/** A value that the tag `[number]` of its context names, in place of its own tag. */
export const implicit = (number: number, value: Uint8Array): Buffer => encode(0x80 | number, value)
/** A value with its own tag inside the tag `[number]` of its context. */
export const explicit = (number: number, value: Uint8Array): Buffer => encode(0xa0 | number, value)

/** An object identifier such as `2.5.4.3`. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(toBase128)))
}

/** All bytes but the last have the highest bit. */
function toBase128(value: number): number[] {
  const bytes = [value % 128]
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift(128 + (left % 128))
  return bytes
}

/** UTCTime up to 2049, then GeneralizedTime (RFC 5280, 4.1.2.5). */
export function encodeTime(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050 ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits))
}
