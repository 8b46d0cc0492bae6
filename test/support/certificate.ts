import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** Encodes a value in DER: its tag, its length, and its parts. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const length = value.length
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const bytes = (hex: string) => Buffer.from(hex, 'hex')
/** The algorithms that sign certificates, by type of key. */
const SIGNATURES = {
  ec: sequence(der(0x06, bytes('2a8648ce3d040302'))),
  rsa: sequence(der(0x06, bytes('2a864886f70d01010b')), der(0x05)),
}

/** Encodes a name that has only a common name. */
const encodeName = (name: string) =>
  sequence(der(0x31, sequence(der(0x06, bytes('550403')), der(0x0c, Buffer.from(name)))))
/** Encodes a time, given in milliseconds. */
const encodeTime = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
/** Encodes an extension with the object identifier `id`, in hex. */
const extension = (id: string, value: Buffer) => sequence(der(0x06, bytes(id)), der(0x04, value))

/**
 * Creates a self-signed certificate for 127.0.0.1 and localhost that is valid for a day. Key and certificate are in PEM. A key
 * on a curve is generated a hundred times as fast as one of RSA, which service accounts need.
 */
export function selfSigned(type: 'ec' | 'rsa' = 'ec'): { key: string; cert: string } {
  const publicKeyEncoding = { type: 'spki', format: 'der' } as const
  const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
  const { publicKey, privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'prime256v1', publicKeyEncoding, privateKeyEncoding })
      : generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
  const now = Date.now()
  const name = encodeName('receiver')
  const hosts = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    SIGNATURES[type],
    name,
    sequence(encodeTime(now - 3_600_000), encodeTime(now + 86_400_000)),
    name,
    publicKey,
    der(0xa3, sequence(extension('551d13', sequence(der(0x01, Buffer.from([0xff])))), extension('551d11', hosts))),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = sequence(body, SIGNATURES[type], der(0x03, Buffer.from([0]), signature)).toString('base64')
  return {
    key: privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
