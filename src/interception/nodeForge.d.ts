declare module 'node-forge/lib/x509.js' {
  import { pki } from 'node-forge'

  export default pki
}

declare module 'node-forge/lib/asn1.js' {
  import { asn1 } from 'node-forge'

  export default asn1
}

declare module 'node-forge/lib/sha256.js' {
  import type { md } from 'node-forge'

  const sha256: { create(): md.MessageDigest }
  export default sha256
}
