import { expect, test } from 'vitest'
import { exchange, primary, seededBy } from './recordings.ts'

/** The assignment of ids and etags of a recording to those of the fake. */

const EVENTS = '/calendars/primary/events'
const ACL = '/calendars/primary/acl'
const account = exchange('GET', '/users/me/calendarList/primary', 200, primary)
const at = (hour: number) => ({ dateTime: `2025-03-04T${hour}:00:00Z`, timeZone: 'UTC' })
const write = (method: string, path: string, answer: object | string, body: object, headers = {}) =>
  exchange(method, path, answer === '' ? 204 : 200, answer, { body: JSON.stringify(body), headers })
const rule = (name: string, revision: number) => ({
  kind: 'calendar#aclRule',
  etag: `"${String(revision).padStart(20, '0')}"`,
  id: `user:${name}@example.com`,
  scope: { type: 'user', value: `${name}@example.com` },
  role: 'reader',
})

type Replayed = { request: string; how: string[] }
/** Returns the differing statuses and bodies of requests, without those of the first request, which shows the account. */
const differencesOf = ({ requests }: { requests: Replayed[] }) => requests.slice(1).map(({ how }) => how)

test('an iCalUID derived from the id of an inserted event finds the event of the fake', async () => {
  const body = { summary: 'Tea', start: at(10), end: at(11) }
  const replayed = await seededBy(
    account,
    write('POST', `${EVENTS}?fields=id`, { id: 'abcdefghij0123456789abcdef' }, body),
    exchange('GET', `${EVENTS}?iCalUID=abcdefghij0123456789abcdef@google.com&fields=items(summary)`, 200, {
      items: [{ summary: 'Tea' }],
    }),
  )

  expect(differencesOf(replayed)).toEqual([[], []])
})

test('items of a list are paired by id: a condition on one applies in any order', async () => {
  const [adam, zoe] = [rule('adam', 1), rule('zoe', 2)]
  const replayed = await seededBy(
    account,
    exchange('GET', ACL, 200, { kind: 'calendar#acl', items: [zoe, adam] }),
    exchange('DELETE', `${ACL}/${zoe.id}`, 204, '', { headers: { 'If-Match': zoe.etag } }),
    exchange('DELETE', `${ACL}/${adam.id}`, 204, '', { headers: { 'If-Match': adam.etag } }),
  )

  expect(differencesOf(replayed).slice(1)).toEqual([[], []])
})

test('an item with an unknown id is paired with the only unpaired item', async () => {
  const label = (id: number, name: string) => ({
    ...{ id: `11111111-2222-4333-8444-00000000000${id}`, backgroundColor: '#123456', name },
  })
  const [old, added] = [label(1, 'Old'), label(2, 'Added')]
  const calendar = (...eventLabels: object[]) => ({ id: primary.id, labelProperties: { eventLabels } })
  const withoutId = ({ id: _, ...given }: typeof old) => given
  const path = '/calendars/primary?fields=id,labelProperties'
  const body = { summary: 'Tea', start: at(10), end: at(11), eventLabelId: added.id }
  const replayed = await seededBy(
    account,
    write('PATCH', path, calendar(old), { labelProperties: { eventLabels: [withoutId(old)] } }),
    write('PATCH', path, calendar(old, added), { labelProperties: { eventLabels: [old, withoutId(added)] } }),
    write('POST', `${EVENTS}?eventLabelVersion=1&fields=eventLabelId`, { eventLabelId: added.id }, body),
  )

  expect(differencesOf(replayed)).toEqual([[], [], []])
})

test('items without ids are paired by their positions', async () => {
  const [adam, zoe] = [rule('adam', 1), rule('zoe', 2)]
  const replayed = await seededBy(
    account,
    ...[adam, zoe].map(({ etag: _, ...shown }) =>
      exchange('GET', `${ACL}/${shown.id}?fields=kind,id,scope,role`, 200, shown),
    ),
    exchange('GET', `${ACL}?fields=items(etag)`, 200, {
      items: ['"00000000000000000000"', adam.etag, zoe.etag].map((etag) => ({ etag })),
    }),
    exchange('DELETE', `${ACL}/${adam.id}`, 204, '', { headers: { 'If-Match': adam.etag } }),
  )

  expect(differencesOf(replayed)).toEqual([[], [], [], []])
})

test('If-Match: * stays * for the next resource', async () => {
  const [adam, zoe] = [rule('adam', 1), rule('zoe', 2)]
  const replayed = await seededBy(
    account,
    ...[adam, zoe].map(({ id }) => exchange('DELETE', `${ACL}/${id}`, 204, '', { headers: { 'If-Match': '*' } })),
  )

  expect(differencesOf(replayed)).toEqual([[], []])
})
