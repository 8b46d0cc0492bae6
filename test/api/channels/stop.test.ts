import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf } from '../../support/calendar.ts'
import { channel, EVENTS, openPush, write } from '../../support/push.ts'

const STOP = '/channels/stop'

async function withChannel() {
  const { as, fake, recordMessages } = openPush()
  const received = recordMessages()
  const { body } = await as(ALICE).post(`${EVENTS}/watch`, channel('mine'))
  const { id, resourceId } = body
  return { as, fake, received, pair: { id, resourceId } }
}

test('6.3.1 a stopped channel sends no messages; the reply is 204 without a body', async () => {
  const { as, fake, received, pair } = await withChannel()

  const { status, text } = await as(ALICE).post(STOP, pair)
  await write(as(ALICE))

  expect([status, text]).toEqual([204, ''])
  expect(received).toEqual(['mine 1 sync'])
  expect(fake.channels()).toMatchObject([{ id: 'mine', state: 'stopped' }])
  expect(fake.clock.advance('30d')).toEqual([])
})

test('other channels on the same resource continue', async () => {
  const { as, received, pair } = await withChannel()
  await as(ALICE).post(`${EVENTS}/watch`, channel('other'))

  await as(ALICE).post(STOP, pair)
  await write(as(ALICE))

  expect(received).toEqual(['mine 1 sync', 'other 1 sync', 'other 2 exists'])
})

const notFound = (id: string) => ({
  status: 404,
  domain: 'global',
  reason: 'notFound',
  message: `Channel '${id}' not found for project '100000000001'`,
})

const WRONG: [title: string, wrong: { id?: string; resourceId?: string }][] = [
  ['a different id', { id: 'yours' }],
  ['the resourceId of another channel', { resourceId: 'SuelP1-rnXotZ_B6hLvI70BRFPo' }],
]

test.each(WRONG)('2.2.9, 6.3.2 %s is 404, and the channel continues', async (_, wrong) => {
  const { as, received, pair } = await withChannel()

  const reply = await as(ALICE).post(STOP, { ...pair, ...wrong })
  await write(as(ALICE))

  expect(errorOf(reply)).toEqual(notFound(wrong.id ?? 'mine'))
  expect(received).toEqual(['mine 1 sync', 'mine 2 exists'])
})

test('6.3.2 a stop of a channel of another account, or of one that stopped or expired, is 404', async () => {
  const { as, fake, pair } = await withChannel()

  expect(errorOf(await as(BOB).post(STOP, pair))).toEqual(notFound('mine'))
  expect((await as(ALICE).post(STOP, pair)).status).toBe(204)
  expect(errorOf(await as(ALICE).post(STOP, pair))).toEqual(notFound('mine'))

  await as(ALICE).post(`${EVENTS}/watch`, channel('mine'))
  fake.clock.advance('7d')
  expect(errorOf(await as(ALICE).post(STOP, pair))).toEqual(notFound('mine'))
})
