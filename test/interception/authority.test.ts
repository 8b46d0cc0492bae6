import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCertificates } from '../../src/interception/authority.ts'
import { bits, encodeTime, identifier, integer, octets } from '../../src/interception/der.ts'
import { SERVICE_HOSTS } from '../../src/interception/hosts.ts'

const YEAR_MS = 365 * 86_400_000

test('the certificate of the hosts is signed by the authority, for each host of the service and no other', async () => {
  const { authority, cert, key } = await createCertificates()
  const [ca, hosts] = [new X509Certificate(authority), new X509Certificate(cert)]

  expect([ca.ca, hosts.ca]).toEqual([true, false])
  expect([ca.checkIssued(ca), hosts.checkIssued(ca), ca.checkIssued(hosts)]).toEqual([true, true, false])
  expect([ca.verify(ca.publicKey), hosts.verify(ca.publicKey), hosts.verify(hosts.publicKey)]).toEqual([
    true,
    true,
    false,
  ])
  expect(hosts.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(SERVICE_HOSTS.filter((host) => hosts.checkHost(host) !== host)).toEqual([])
  expect(hosts.checkHost('example.com')).toBeUndefined()
  expect(hosts.subjectAltName).toBe(SERVICE_HOSTS.map((host) => `DNS:${host}`).join(', '))
  const { cert: wider } = await createCertificates(['mail.example.com'])
  expect(new X509Certificate(wider).subjectAltName).toBe(`${hosts.subjectAltName}, DNS:mail.example.com`)
  expect(hosts.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(ca.subject).toMatch(/^CN=fake-calendar 1[0-9a-f]{7}$/)
  expect(ca.serialNumber).not.toBe(hosts.serialNumber)
})

test('certificates are valid for a year in both directions', async () => {
  const { authority, cert } = await createCertificates()
  const within = ([from, to]: [string, string]) =>
    Date.parse(from) <= Date.now() - YEAR_MS && Date.parse(to) >= Date.now() + YEAR_MS - 1000

  for (const one of [authority, cert].map((pem) => new X509Certificate(pem)))
    expect(within([one.validFrom, one.validTo])).toBe(true)
})

test.each([
  ['a short value', octets(Buffer.alloc(0x7f)), '047f00'],
  ['a length of one byte', octets(Buffer.alloc(0x80)), '04818000'],
  ['a length of two bytes', octets(Buffer.alloc(0x1234)), '0482123400'],
  ['a length of an odd number of digits', octets(Buffer.alloc(0x123)), '0482012300'],
  ['an identifier with large arcs', identifier('1.2.840.113549.1.1.11'), '06092a864886f70d01010b'],
  ['an integer', integer('1f00'), '02021f00'],
  ['bits', bits(Uint8Array.of(0xa0), 5), '030205a0'],
  ['a time of this century', encodeTime(new Date('2049-12-31T23:59:59Z')), '170d3439313233313233353935395a'],
  ['a later time', encodeTime(new Date('2050-01-01T00:00:00Z')), '180f32303530303130313030303030305a'],
])('%s is encoded in DER', (_, encoded, start) => {
  expect(encoded.subarray(0, start.length / 2).toString('hex')).toBe(start)
})
