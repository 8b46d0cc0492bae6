import { createHash, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import {
  bits,
  encodeText,
  encodeTime,
  explicit,
  identifier,
  implicit,
  integer,
  octets,
  sequence,
  set,
  TRUE,
} from './der.ts'
import { SERVICE_HOSTS } from './hosts.ts'

export type ProxyCertificates = {
  authority: string
  cert: string
  key: string
}

/** The public key is in DER, the private one in PEM. */
type KeyPair = { publicKey: Buffer; privateKey: string }

/**
 * The certificate is for the service's hosts and `others`. The key of the authority is dropped after it has signed, so that it
 * cannot sign anything else. Writes no file.
 */
export async function createCertificates(others: readonly string[] = []): Promise<ProxyCertificates> {
  const names = [...SERVICE_HOSTS, ...others]
  const [ca, hosts] = await Promise.all([generateEcKeyPair(), generateEcKeyPair()])
  const name = toName(`fake-calendar ${toSerialNumber(ca).slice(0, 8)}`)
  const authority = signCertificate({ subject: ca, name }, { issuer: ca, issuerName: name }, [
    extension('2.5.29.19', sequence(TRUE), { isCritical: true }), // basicConstraints: an authority
    extension('2.5.29.15', bits(Uint8Array.of(KEY_CERT_SIGN | CRL_SIGN), 1), { isCritical: true }), // keyUsage
    extension('2.5.29.14', octets(toKeyIdentifier(ca))), // subjectKeyIdentifier
  ])
  const [host = ''] = names
  const cert = signCertificate({ subject: hosts, name: toName(host) }, { issuer: ca, issuerName: name }, [
    extension('2.5.29.19', sequence(), { isCritical: true }), // basicConstraints: no authority
    extension('2.5.29.15', bits(Uint8Array.of(DIGITAL_SIGNATURE), 7), { isCritical: true }), // keyUsage
    extension('2.5.29.37', sequence(identifier('1.3.6.1.5.5.7.3.1'))), // extKeyUsage: a server
    extension('2.5.29.17', sequence(...names.map((one) => implicit(2, Buffer.from(one))))), // subjectAltName
    extension('2.5.29.14', octets(toKeyIdentifier(hosts))), // subjectKeyIdentifier
    extension('2.5.29.35', sequence(implicit(0, toKeyIdentifier(ca)))), // authorityKeyIdentifier
  ])
  return { authority, cert, key: hosts.privateKey }
}

const DIGITAL_SIGNATURE = 0x80
const KEY_CERT_SIGN = 0x04
const CRL_SIGN = 0x02

/** A key on the curve P-256, because making two keys of RSA takes longer than the rest of the start of `exec --intercept`. */
const generateEcKeyPair = (): Promise<KeyPair> =>
  promisify(generateKeyPair)('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

const toDigest = ({ publicKey }: KeyPair): Buffer => createHash('sha256').update(publicKey).digest()

/** Derived from the public key: 30 hexadecimal digits. The first is 1, so that it is positive. */
const toSerialNumber = (pair: KeyPair): string => `1${toDigest(pair).toString('hex').slice(0, 29)}`

/** The first 160 bits of the digest of the key (RFC 7093, 2). */
const toKeyIdentifier = (pair: KeyPair): Buffer => toDigest(pair).subarray(0, 20)

const toName = (commonName: string): Buffer => sequence(set(sequence(identifier('2.5.4.3'), encodeText(commonName))))

const extension = (id: string, value: Buffer, { isCritical = false } = {}): Buffer =>
  sequence(identifier(id), ...(isCritical ? [TRUE] : []), octets(value))

const ECDSA_WITH_SHA256 = sequence(identifier('1.2.840.10045.4.3.2'))
const VERSION_3 = explicit(0, integer('02'))

/** Returns a certificate of X.509 in PEM (RFC 5280, 4.1). */
function signCertificate(
  { subject, name }: { subject: KeyPair; name: Buffer },
  { issuer, issuerName }: { issuer: KeyPair; issuerName: Buffer },
  extensions: readonly Buffer[],
): string {
  const body = sequence(
    VERSION_3,
    integer(toSerialNumber(subject)),
    ECDSA_WITH_SHA256,
    issuerName,
    sequence(encodeTime(addYears(-1)), encodeTime(addYears(1))),
    name,
    subject.publicKey,
    explicit(3, sequence(...extensions)),
  )
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, issuer.privateKey)))
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** Certificates are valid for a year in both directions, because programs may run with another clock than the machine's. */
function addYears(count: number): Date {
  const date = new Date(Date.now())
  date.setUTCFullYear(date.getUTCFullYear() + count)
  return date
}
