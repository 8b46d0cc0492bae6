import { createServer } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { ALICE } from '../support/calendar.ts'
import { selfSigned } from '../support/certificate.ts'
import { channel, closeServer, EVENTS, listen, openPush, openReceiver } from '../support/push.ts'

/** A receiver of https with a new certificate. */
async function openSecure() {
  const made = selfSigned()
  const paths: string[] = []
  const server = createServer(made, (request, response) => {
    paths.push(request.url ?? '')
    response.end()
  })
  const port = await listen(server)
  onTestFinished(() => closeServer(server))
  return { port, paths, cert: made.cert }
}

test.each(['127.0.0.1', 'localhost'])(
  '6.1.1 a receiver of https at %s gets messages if its certificate is trusted',
  async (host) => {
    const { port, paths, cert } = await openSecure()
    const { as, fake } = openPush({ webhookCa: cert })
    await as(ALICE).post(`${EVENTS}/watch`, channel('mine', `https://${host}:${port}/hook`))
    await fake.notifications.settled()

    expect(fake.notifications.list()).toMatchObject([{ progress: 'delivered', attempts: [{ code: 200 }] }])
    expect(paths).toEqual(['/hook'])
  },
)

test('6.1.1 a self-signed certificate, or one of an unknown authority, is a connection error', async () => {
  const { port, paths } = await openSecure()
  for (const options of [{}, { webhookCa: selfSigned().cert }]) {
    const { as, fake } = openPush(options)
    await as(ALICE).post(`${EVENTS}/watch`, channel('mine', `https://127.0.0.1:${port}/hook`))
    await fake.notifications.settled()
    expect(fake.notifications.list()).toMatchObject([
      { progress: 'retrying', attempts: [{ error: expect.stringMatching(/certificate/i) }] },
    ])
  }
  expect(paths).toEqual([])
})

test('webhookTimeout limits the response time of a receiver', async () => {
  const silent = await openReceiver(() => undefined)
  const { as, fake } = openPush({ webhookTimeout: '30ms' })
  await as(ALICE).post(`${EVENTS}/watch`, channel('mine', silent.address))
  await fake.notifications.settled()

  expect(fake.notifications.list()).toMatchObject([{ attempts: [{ error: 'no answer within 30 ms' }] }])
})

test.each([
  [{ webhookCa: 'no certificate' }, 'webhookCa must be certificates as PEM'],
  [
    { webhookCa: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    'webhookCa must be certificates as PEM',
  ],
  [{ webhookTimeout: 'soon' }, 'webhookTimeout must be a time-out such as 10s'],
  [{ webhookTimeout: 0 }, 'webhookTimeout must be a time-out such as 10s'],
  [{ webhookTimeout: '9999d' }, 'webhookTimeout must be a time-out such as 10s'],
])('%j is a TypeError', (options, message) => {
  expect(() => createFakeCalendar(options)).toThrow(new TypeError(`createFakeCalendar: ${message}`))
})
