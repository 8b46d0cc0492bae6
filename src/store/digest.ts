// Loaded with the first digest there is: few calls need one, and every start would wait for it.
const crypto = () => process.getBuiltinModule('node:crypto')

/** A text's digest in url-safe characters: the same in every run, and telling nothing of the text. */
export const digest = (text: string, algorithm: 'sha1' | 'sha256'): string =>
  crypto().createHash(algorithm).update(text).digest('base64url')

/** The same with a key, without which nobody makes it. */
export const keyedDigest = (key: string, text: string): Buffer =>
  crypto().createHmac('sha256', key).update(text).digest()
