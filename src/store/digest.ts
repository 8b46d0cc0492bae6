// Loaded with the first digest there is: few calls need one, and every start would wait for it.
const crypto = () => process.getBuiltinModule('node:crypto')

/** A text's digest in url-safe characters: the same in every run, and telling nothing of the text. */
export const digest = (text: string, algorithm: 'sha1' | 'sha256'): string =>
  crypto().hash(algorithm, text, 'base64url')

/**
 * The same with a key, without which nobody makes it: a part of it is to be shown, from which nobody can go on. An HMAC takes
 * six times as long, and each is an object that the collector has to end.
 */
export const keyedDigest = (key: string, text: string): Buffer => crypto().hash('sha256', `${key}\n${text}`, 'buffer')

/** A text as a short name, of 53 bits: it protects nothing, and two texts hardly ever share one. */
export function shortDigest(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
    other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (2 ** 32 * (other & 0x1fffff) + (one >>> 0)).toString(36)
}
