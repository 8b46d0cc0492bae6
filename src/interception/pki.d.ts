/** The parts of the library that certificates are made with: their types are those of the whole. */
declare module 'node-forge/lib/pki.js' {
  import { pki } from 'node-forge'

  export default pki
}

declare module 'node-forge/lib/sha256.js' {
  import type { md } from 'node-forge'

  const sha256: { create(): md.MessageDigest }
  export default sha256
}
