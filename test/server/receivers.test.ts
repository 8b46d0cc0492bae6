import { createServer } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { ALICE } from '../support/calendar.ts'
import { selfSigned } from '../support/certificate.ts'
import { channel, closed, EVENTS, listening, openPush, openReceiver } from '../support/push.ts'

/** A receiver of https, whose certificate nobody has seen before. */
async function openSecure() {
  const made = selfSigned()
  const paths: string[] = []
  const server = createServer(made, (request, response) => {
    paths.push(request.url ?? '')
    response.end()
  })
  const port = await listening(server)
  onTestFinished(() => closed(server))
  return { port, paths, cert: made.cert }
}

// behaviour 6.1.1
test.each(['127.0.0.1', 'localhost'])(
  'a receiver of https at %s is posted to where its certificate is vouched for',
  async (host) => {
    const { port, paths, cert } = await openSecure()
    const { as, fake } = openPush({ webhookCa: cert })
    await as(ALICE).post(`${EVENTS}/watch`, channel('mine', `https://${host}:${port}/hook`))
    await fake.notifications.settled()

    expect(fake.notifications.list()).toMatchObject([{ progress: 'delivered', attempts: [{ code: 200 }] }])
    expect(paths).toEqual(['/hook'])
  },
)

// behaviour 6.1.1
test('a certificate that nobody vouches for, or another does, is no connection', async () => {
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

test('a receiver has as long to answer as is said', async () => {
  const silent = await openReceiver(() => undefined)
  const { as, fake } = openPush({ webhookTimeout: '30ms' })
  await as(ALICE).post(`${EVENTS}/watch`, channel('mine', silent.address))
  await fake.notifications.settled()

  expect(fake.notifications.list()).toMatchObject([{ attempts: [{ error: 'no answer within 30 ms' }] }])
})

test.each([
  [{ webhookCa: 'no certificate' }, 'webhookCa is certificates as PEM'],
  [{ webhookCa: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'webhookCa is certificates as PEM'],
  [{ webhookTimeout: 'soon' }, 'webhookTimeout is a time-out such as 10s'],
  [{ webhookTimeout: 0 }, 'webhookTimeout is a time-out such as 10s'],
  [{ webhookTimeout: '9999d' }, 'webhookTimeout is a time-out such as 10s'],
])('%j is a TypeError', (options, said) => {
  expect(() => createFakeCalendar(options)).toThrow(new TypeError(`createFakeCalendar: ${said}`))
})
