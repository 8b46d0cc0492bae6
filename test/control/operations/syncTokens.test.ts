import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, errorOf, openCalendar } from '../../support/calendar.ts'

const PATHS = {
  events: '/calendars/primary/events',
  acl: '/calendars/primary/acl',
  calendarList: '/users/me/calendarList',
  settings: '/users/me/settings',
}

/** Opens a world in which Alice and Bob have a sync token of each of their lists, with a reader of the expired ones. */
async function synced() {
  const { fake, as, anonymous } = openCalendar()
  const tokens: [account: string, list: keyof typeof PATHS, token: string][] = []
  for (const account of [ALICE, BOB])
    for (const [list, path] of Object.entries(PATHS))
      tokens.push([account, list as keyof typeof PATHS, (await as(account).get(path)).body.nextSyncToken])
  /** Returns the names of the tokens that answer 410. */
  const expired = async () => {
    const found: string[] = []
    for (const [account, list, token] of tokens) {
      const { status } = await as(account).get(`${PATHS[list]}?syncToken=${encodeURIComponent(token)}`)
      if (status === 410) found.push(`${account === ALICE ? 'alice' : 'bob'} ${list}`)
      else expect(status).toBe(200)
    }
    return found
  }
  return { fake, as, anonymous, expired, tokenOf: (at: number) => tokens[at]?.[2] ?? '' }
}

test.each([
  [undefined, 8, 'alice events'],
  [{ account: BOB }, 4, 'bob events'],
  [{ account: BOB, collection: 'acl' }, 1, 'bob acl'],
  [{ collection: 'settings' }, 2, 'alice settings'],
  [{ calendarId: ALICE }, 2, 'alice events'],
  [{ calendarId: 'primary', collection: 'events' }, 2, 'alice events'],
  [{ calendarId: 'primary', account: BOB, collection: 'events' }, 1, 'bob events'],
] as const)('expire(%j) expires %i of eight tokens, including that of %s', async (filter, many, one) => {
  const { fake, expired } = await synced()
  fake.syncTokens.expire(filter)
  const found = await expired()

  expect(found).toHaveLength(many)
  expect(found).toContain(one)
})

test('tokens issued later are valid', async () => {
  const { fake, as } = await synced()
  fake.syncTokens.expire({ account: ALICE, collection: 'events' })
  const { nextSyncToken } = (await as(ALICE).get(PATHS.events)).body

  expect((await as(ALICE).get(`${PATHS.events}?syncToken=${encodeURIComponent(nextSyncToken)}`)).status).toBe(200)
})

test('tokens can expire after n uses, where all pages of a list count once', async () => {
  const { fake, as, tokenOf } = await synced()
  const old = tokenOf(0)
  for (const id of ['one000', 'tuo000', 'three0'])
    await as(ALICE).post(PATHS.events, { id, ...allDay('2026-03-02', '2026-03-03') })
  fake.syncTokens.expire({ afterUses: 1 })
  const statusOf = (token: string, more = '') =>
    as(ALICE).get(`${PATHS.events}?maxResults=2&syncToken=${encodeURIComponent(token)}${more}`)

  const { nextPageToken } = (await statusOf(old)).body
  const last = await statusOf(old, `&pageToken=${encodeURIComponent(nextPageToken)}`)
  expect(last.body.items).toHaveLength(1)
  expect(errorOf(await statusOf(old))).toMatchObject({ status: 410, reason: 'fullSyncRequired' })
  expect((await statusOf(last.body.nextSyncToken)).status).toBe(200)
  expect((await statusOf(last.body.nextSyncToken)).status).toBe(410)
  fake.syncTokens.expire({ afterUses: null })
  expect((await statusOf(old)).status).toBe(200)
})

test('a full list renews its token after a 410, also if nothing has changed', async () => {
  const { fake, as } = await synced()
  fake.syncTokens.expire({ afterUses: 1 })
  for (const path of Object.values(PATHS)) {
    const statusOf = async (token: string) =>
      (await as(ALICE).get(`${path}?syncToken=${encodeURIComponent(token)}`)).status
    for (let round = 0; round < 2; round++) {
      const { nextSyncToken } = (await as(ALICE).get(path)).body
      expect([await statusOf(nextSyncToken), await statusOf(nextSyncToken)]).toEqual([200, 410])
    }
  }
})

test('a new limit counts uses from the moment it is set', async () => {
  const { fake, as, tokenOf } = await synced()
  const statusOf = async () =>
    (await as(ALICE).get(`${PATHS.events}?syncToken=${encodeURIComponent(tokenOf(0))}`)).status
  const useTwice = async () => [await statusOf(), await statusOf()]
  fake.syncTokens.expire({ account: BOB, afterUses: 1 })
  fake.syncTokens.expire({ account: BOB, afterUses: null })
  fake.syncTokens.expire({ afterUses: 1 })
  expect(await useTwice()).toEqual([200, 410])
  fake.syncTokens.expire({ afterUses: null })
  fake.syncTokens.expire({ afterUses: 1 })
  expect(await useTwice()).toEqual([200, 410])
  fake.syncTokens.expire({ afterUses: 1 })
  expect(await useTwice()).toEqual([200, 410])
})

test('uses before the first limit do not count', async () => {
  const { fake, as, anonymous } = await synced()
  fake.syncTokens.expire({ account: ALICE, collection: 'events' })
  const { nextSyncToken } = (await as(ALICE).get(PATHS.events)).body
  const statusOf = async () =>
    (await as(ALICE).get(`${PATHS.events}?syncToken=${encodeURIComponent(nextSyncToken)}`)).status
  expect(await statusOf()).toBe(200)
  await anonymous.post('/_control/syncTokens/expire', { afterUses: 1 })
  expect([await statusOf(), await statusOf()]).toEqual([200, 410])
})
