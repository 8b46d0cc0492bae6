import { createHash, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { pki as Pki } from 'node-forge'
import asn1 from 'node-forge/lib/asn1.js'
import sha256 from 'node-forge/lib/sha256.js'
import x509 from 'node-forge/lib/x509.js'
import { SERVICE_HOSTS } from './hosts.ts'

/** A certificate authority, and a certificate for the service's hosts that it has signed; as PEM. */
export type Authority = { authority: string; cert: string; key: string }

type KeyPair = { publicKey: string; privateKey: string }

/** Makes an authority. Its key is dropped after it has signed, so that it cannot sign anything else. */
export async function makeAuthority(): Promise<Authority> {
  const [own, hosts] = await Promise.all([keyPair(), keyPair()])
  const name = [{ name: 'commonName', value: `fake-calendar ${serialOf(own).slice(0, 8)}` }]
  const authority = signCertificate(own, name, own, name, [
    { name: 'basicConstraints', critical: true, cA: true },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
  ])
  const keyIdentifier = authority.generateSubjectKeyIdentifier().getBytes()
  const cert = signCertificate(hosts, [{ name: 'commonName', value: SERVICE_HOSTS[0] ?? '' }], own, name, [
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: SERVICE_HOSTS.map((value) => ({ type: 2, value })) },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier },
  ])
  return { authority: x509.certificateToPem(authority), cert: x509.certificateToPem(cert), key: hosts.privateKey }
}

const keyPair = (): Promise<KeyPair> =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })

/** A serial number derived from the key; always positive. */
const serialOf = ({ publicKey }: KeyPair): string =>
  `1${createHash('sha256').update(publicKey).digest('hex').slice(0, 29)}`

type CertificateName = Pki.CertificateField[]

function signCertificate(
  subject: KeyPair,
  name: CertificateName,
  by: KeyPair,
  issuer: CertificateName,
  extensions: object[],
): Pki.Certificate {
  const certificate = x509.createCertificate()
  certificate.publicKey = x509.publicKeyFromPem(subject.publicKey)
  certificate.serialNumber = serialOf(subject)
  certificate.setSubject(name)
  certificate.setIssuer(issuer)
  // Valid for a year in both directions, because programs may run with another clock than the machine's.
  const { notBefore, notAfter } = certificate.validity
  notBefore.setFullYear(notBefore.getFullYear() - 1)
  notAfter.setFullYear(notAfter.getFullYear() + 1)
  certificate.setExtensions(extensions)
  // The platform signs, because the library takes a tenth of a second for it.
  const bySigner = { sign: () => signBody(certificate, by).toString('latin1') }
  certificate.sign(bySigner as unknown as Pki.rsa.PrivateKey, sha256.create())
  return certificate
}

/** Signs the part of a certificate that its signature covers. */
const signBody = ({ tbsCertificate }: Pki.Certificate, { privateKey }: KeyPair): Buffer =>
  sign('sha256', Buffer.from(asn1.toDer(tbsCertificate).getBytes(), 'latin1'), privateKey)
