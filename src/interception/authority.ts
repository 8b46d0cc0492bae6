import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { pki as Pki } from 'node-forge'
import pki from 'node-forge/lib/pki.js'
import sha256 from 'node-forge/lib/sha256.js'
import { SERVICE_HOSTS } from './hosts.ts'

/** A certificate authority of this process's own, and what the service's hosts show that it vouches for; as PEM. */
export type Authority = { authority: string; cert: string; key: string }

type Pair = { publicKey: string; privateKey: string }

/** The key of the authority is forgotten as soon as it has signed: nobody can have it vouch for anything else. */
export async function makeAuthority(): Promise<Authority> {
  const [own, hosts] = await Promise.all([keyPair(), keyPair()])
  const name = [{ name: 'commonName', value: `fake-calendar ${serialOf(own).slice(0, 8)}` }]
  const authority = signed(own, name, own, name, [
    { name: 'basicConstraints', critical: true, cA: true },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
  ])
  const keyIdentifier = authority.generateSubjectKeyIdentifier().getBytes()
  const cert = signed(hosts, [{ name: 'commonName', value: SERVICE_HOSTS[0] ?? '' }], own, name, [
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: SERVICE_HOSTS.map((value) => ({ type: 2, value })) },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier },
  ])
  return { authority: pki.certificateToPem(authority), cert: pki.certificateToPem(cert), key: hosts.privateKey }
}

const keyPair = (): Promise<Pair> =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })

/** Another for each key, and a positive number whatever the key. */
const serialOf = ({ publicKey }: Pair): string =>
  `1${createHash('sha256').update(publicKey).digest('hex').slice(0, 29)}`

type Name = Pki.CertificateField[]

function signed(subject: Pair, name: Name, by: Pair, issuer: Name, extensions: object[]): Pki.Certificate {
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.publicKeyFromPem(subject.publicKey)
  certificate.serialNumber = serialOf(subject)
  certificate.setSubject(name)
  certificate.setIssuer(issuer)
  // It begins with the moment of its making. Programs may run by another clock than the machine's: a year either way is good.
  const { notBefore, notAfter } = certificate.validity
  notBefore.setFullYear(notBefore.getFullYear() - 1)
  notAfter.setFullYear(notAfter.getFullYear() + 1)
  certificate.setExtensions(extensions)
  certificate.sign(pki.privateKeyFromPem(by.privateKey), sha256.create())
  return certificate
}
