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
