import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, type Client, errorOf, openCalendar } from '../../support/calendar.ts'
import { EXPIRED, invalid, newCalendar, share } from '../../support/sharing.ts'

const LIST = '/users/me/calendarList'
const idsIn = (items: { id: string }[]) => items.map(({ id }) => id)
const listed = async (client: Client, query = '') => idsIn((await client.get(LIST + query)).body.items)
/** A calendar of Alice's that Bob has a role on and lists. */
async function subscribed(alice: Client, bob: Client, role = 'reader') {
  const id = await newCalendar(alice)
  await share(alice, id, BOB, role)
  await bob.post(LIST, { id })
  return id
}

test.each([
  ['freeBusyReader', [true, true, true, true]],
  ['reader', [true, true, true, false]],
  ['writer', [true, true, false, false]],
  ['owner', [true, false, false, false]],
] as const)('minAccessRole %s excludes calendars on which Bob has a lower role', async (least, expected) => {
  const { as } = openCalendar()
  const ids = [BOB]
  for (const role of ['writer', 'reader', 'freeBusyReader']) ids.push(await subscribed(as(ALICE), as(BOB), role))

  expect(await listed(as(BOB), `?minAccessRole=${least}`)).toEqual(ids.filter((_, at) => expected[at]))
})

test('1.23 showOwnOrganizationOnly excludes the calendars of other domains', async () => {
  const { as } = openCalendar()
  const own = await subscribed(as(ALICE), as(BOB))
  const other = await subscribed(as(CAROL), as(BOB))

  expect(await listed(as(BOB))).toEqual([BOB, own, other])
  expect(await listed(as(BOB), '?showOwnOrganizationOnly=true')).toEqual([BOB, own])
})

test('writes between pages neither repeat nor lose an entry, and the next sync returns them', async () => {
  const { as } = openCalendar()
  const ids = [await subscribed(as(ALICE), as(BOB)), await subscribed(as(ALICE), as(BOB))]
  const first = (await as(BOB).get(`${LIST}?maxResults=1`)).body

  await as(BOB).delete(`${LIST}/${ids[0]}`)
  await as(BOB).patch(`${LIST}/${ids[1]}`, { summaryOverride: 'Late' })
  const later = await subscribed(as(ALICE), as(BOB))
  const rest = (await as(BOB).get(`${LIST}?maxResults=5&pageToken=${encodeURIComponent(first.nextPageToken)}`)).body

  expect(Object.keys(first)).toEqual(['kind', 'etag', 'nextPageToken', 'items'])
  expect([...idsIn(first.items), ...idsIn(rest.items)]).toEqual([BOB, ...ids])
  const sync = await as(BOB).get(`${LIST}?syncToken=${encodeURIComponent(rest.nextSyncToken)}`)
  expect(idsIn(sync.body.items)).toEqual([...ids, later])
})

test('a sync returns deleted calendars and calendars without access as deleted entries', async () => {
  const { as } = openCalendar()
  const [deleted, lost] = [await subscribed(as(ALICE), as(BOB)), await subscribed(as(ALICE), as(BOB))]
  const { nextSyncToken } = (await as(BOB).get(LIST)).body

  await as(ALICE).delete(`/calendars/${deleted}`)
  await share(as(ALICE), lost, BOB, 'none')

  const { items } = (await as(BOB).get(`${LIST}?syncToken=${encodeURIComponent(nextSyncToken)}`)).body
  expect(items).toMatchObject([
    { id: deleted, deleted: true },
    { id: lost, deleted: true },
  ])
})

test('the etag of the list changes with an entry, its calendar or the caller’s role', async () => {
  const { as } = openCalendar()
  const id = await subscribed(as(ALICE), as(BOB))
  const etag = async () => (await as(BOB).get(LIST)).body.etag
  const etags = [await etag(), await etag()]

  await as(BOB).patch(`${LIST}/${id}`, { selected: true })
  etags.push(await etag())
  await as(ALICE).patch(`/calendars/${id}`, { summary: 'Crew' })
  etags.push(await etag())
  await share(as(ALICE), id, BOB, 'writer')
  etags.push(await etag())

  expect(etags[1]).toBe(etags[0])
  expect(new Set(etags).size).toBe(4)
})

test.each([
  ['minAccessRole=reader', 'minAccessRole'],
  ['showDeleted=false', 'showDeleted'],
  ['showHidden=false', 'showHidden'],
  ['showOwnOrganizationOnly=true', 'showOwnOrganizationOnly'],
])('5.17 a sync token cannot be combined with %s', async (query, location) => {
  const { as } = openCalendar()
  const { nextSyncToken } = (await as(ALICE).get(LIST)).body

  const reply = await as(ALICE).get(`${LIST}?syncToken=${encodeURIComponent(nextSyncToken)}&${query}`)

  expect(errorOf(reply)).toEqual(invalid(`Sync token cannot be used with ${location}.`, location))
})

test('a sync token can be combined with the parameters that a sync implies', async () => {
  const { as } = openCalendar()
  const { nextSyncToken } = (await as(ALICE).get(LIST)).body

  const sync = `${LIST}?syncToken=${encodeURIComponent(nextSyncToken)}&showDeleted=true&showHidden=true&maxResults=5`

  expect((await as(ALICE).get(sync)).status).toBe(200)
})

const ROLES = 'freeBusyReader, owner, reader, writer, writerWithoutPrivateAccess'

test.each([
  ['maxResults=0', "Invalid value '0'. Values must be within the range: [1, 2147483647]", 'maxResults'],
  ['maxResults=-1', "Invalid value '-1'. Values must be within the range: [1, 2147483647]", 'maxResults'],
  ['maxResults=1.5', "Invalid integer value: '1.5'.", 'maxResults'],
  ['minAccessRole=king', `Invalid string value: 'king'. Allowed values: [${ROLES}]`, 'minAccessRole'],
  ['showHidden=1', "Invalid boolean value: '1'.", 'showHidden'],
])('%s is refused', async (query, message, location) => {
  const { as } = openCalendar()

  expect(errorOf(await as(ALICE).get(`${LIST}?${query}`))).toEqual(invalid(message, location, 'invalidParameter'))
})

test('tokens that this list did not issue are refused', async () => {
  const { as } = openCalendar()
  const { nextSyncToken } = (await as(BOB).get(LIST)).body

  expect(errorOf(await as(ALICE).get(`${LIST}?syncToken=x`))).toEqual(invalid('Invalid sync token value.', 'syncToken'))
  expect(errorOf(await as(ALICE).get(`${LIST}?pageToken=x`))).toEqual(invalid('Invalid page token value.', 'pageToken'))
  expect(errorOf(await as(ALICE).get(`${LIST}?syncToken=${encodeURIComponent(nextSyncToken)}`))).toEqual(
    invalid('Invalid sync token value.', 'syncToken'),
  )
})

test('a sync token expires on request, with a reset and after a month', async () => {
  const { fake, as } = openCalendar()
  const token = async () => encodeURIComponent((await as(ALICE).get(LIST)).body.nextSyncToken)
  const sync = async (syncToken: string) => errorOf(await as(ALICE).get(`${LIST}?syncToken=${syncToken}`))
  const [first] = [await token(), await as(ALICE).post('/_control/syncTokens/expire')]
  const [second] = [await token(), fake.reset()]
  const third = await token()

  expect(await sync(first)).toEqual(EXPIRED)
  expect(await sync(second)).toEqual(EXPIRED)
  fake.clock.advance('29d')
  expect((await sync(third)).status).toBe(200)
  fake.clock.advance('2d')
  expect(await sync(third)).toEqual(EXPIRED)
})
