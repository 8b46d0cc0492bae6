/** A text's digest in url-safe characters: the same in every run, and telling nothing of the text. */
export function digest(text: string, algorithm: 'sha1' | 'sha256'): string {
  // Loaded with the first digest there is: few calls need one, and every start would wait for it.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash(algorithm).update(text).digest('base64url')
}
