import { createHash, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { pki as Pki } from 'node-forge'
import asn1 from 'node-forge/lib/asn1.js'
import sha256 from 'node-forge/lib/sha256.js'
import x509 from 'node-forge/lib/x509.js'
import { SERVICE_HOSTS } from './hosts.ts'

export type ProxyCertificates = {
  authority: string
  cert: string
  key: string
}

type KeyPair = { publicKey: string; privateKey: string }

/** The key of the authority is dropped after it has signed, so that it cannot sign anything else. Writes no file. */
export async function createCertificates(): Promise<ProxyCertificates> {
  const [ca, hosts] = await Promise.all([generateRsaKeyPair(), generateRsaKeyPair()])
  const name = [{ name: 'commonName', value: `fake-calendar ${toSerialNumber(ca).slice(0, 8)}` }]
  const authority = signCertificate(ca, name, ca, name, [
    { name: 'basicConstraints', critical: true, cA: true },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
  ])
  const keyIdentifier = authority.generateSubjectKeyIdentifier().getBytes()
  const cert = signCertificate(hosts, [{ name: 'commonName', value: SERVICE_HOSTS[0] ?? '' }], ca, name, [
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: SERVICE_HOSTS.map((value) => ({ type: 2, value })) },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier },
  ])
  return { authority: x509.certificateToPem(authority), cert: x509.certificateToPem(cert), key: hosts.privateKey }
}

const generateRsaKeyPair = (): Promise<KeyPair> =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })

/** Derived from the public key: 30 hexadecimal digits. The first is 1, so that it is positive. */
const toSerialNumber = ({ publicKey }: KeyPair): string =>
  `1${createHash('sha256').update(publicKey).digest('hex').slice(0, 29)}`

type CertificateName = Pki.CertificateField[]

/** `name` is the name of the subject, `issuer` that of the signer, and `extensions` are those of node-forge. */
function signCertificate(
  subject: KeyPair,
  name: CertificateName,
  by: KeyPair,
  issuer: CertificateName,
  extensions: object[],
): Pki.Certificate {
  const certificate = x509.createCertificate()
  certificate.publicKey = x509.publicKeyFromPem(subject.publicKey)
  certificate.serialNumber = toSerialNumber(subject)
  certificate.setSubject(name)
  certificate.setIssuer(issuer)
  // Valid for a year in both directions, because programs may run with another clock than the machine's.
  const { notBefore, notAfter } = certificate.validity
  notBefore.setUTCFullYear(notBefore.getUTCFullYear() - 1)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + 1)
  certificate.setExtensions(extensions)
  // The platform signs, because the library takes a tenth of a second for it.
  const bySigner = { sign: () => signCertificateBody(certificate, by).toString('latin1') }
  certificate.sign(bySigner as unknown as Pki.rsa.PrivateKey, sha256.create())
  return certificate
}

const signCertificateBody = ({ tbsCertificate }: Pki.Certificate, { privateKey }: KeyPair): Buffer =>
  sign('sha256', Buffer.from(asn1.toDer(tbsCertificate).getBytes(), 'latin1'), privateKey)
