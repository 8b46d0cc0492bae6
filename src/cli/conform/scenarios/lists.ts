import { expectError, expectOk, expectShape, expectStatus, expectTrue } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { absent, contains, empty, everyItem, exactKeys, keysInOrder, text } from '../matchers.ts'
import { type ErrorRow, errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

/** Returns the ids of items, separated by commas, to compare and to print them. */
const joinIds = (items: readonly { id: string }[]): string => items.map(({ id }) => id).join()

/**
 * Creates events of an hour each on the scenario's Monday; `hours` are their starts (0 to 22). Returns the path of the events,
 * and their ids in the given order. Rejects with an InconclusiveError if the server rejects one.
 */
async function createEventsAt(kit: Kit, hours: readonly number[]) {
  const path = await kit.eventsPath()
  const made: string[] = []
  for (const hour of hours)
    made.push((await kit.require(kit.post(path, { ...kit.hour(hour), summary: `At ${hour}` }))).id)
  return { path, made }
}

const lists: ScenarioGroup['scenarios'] = [
  scenario('a list of events describes a calendar without a description with an empty text', '3.3.1', async (kit) => {
    const { description } = expectOk(await kit.get(await kit.eventsPath(), kit.week()), {}) as { description?: unknown }
    expectTrue(description === '', `the description is ${JSON.stringify(description)}`)
  }),
  scenario('a list of events has an envelope of fixed keys', '3.3, 3.11', async (kit) => {
    const answer = await kit.get(await kit.eventsPath(), kit.week())
    const order = ['kind', 'etag', 'summary', 'description', 'updated', 'timeZone', 'accessRole', 'defaultReminders']
    expectOk(answer, keysInOrder(...order, 'nextPageToken', 'nextSyncToken', 'items'))
    expectOk(answer, {
      kind: 'calendar#events',
      etag: text,
      timeZone: 'UTC',
      accessRole: 'owner',
      defaultReminders: empty,
      items: empty,
      nextSyncToken: text,
    })
  }),
  scenario('a list without orderBy is ordered by the last change, oldest first', '5.3.1', async (kit) => {
    const { path, made } = await createEventsAt(kit, [12, 9, 10])
    const [first = '', second, third] = made
    await kit.require(kit.patch(`${path}/${first}`, { summary: 'Changed' }))
    expectOk(await kit.get(path, kit.week()), { items: [{ id: second }, { id: third }, { id: first }] })
  }),
  scenario('orderBy=startTime orders by start', '5.3, 1.16, 5.6', async (kit) => {
    const { path, made } = await createEventsAt(kit, [12, 9, 10])
    const answer = await kit.get(path, { ...kit.week(), orderBy: 'startTime', singleEvents: true })
    expectOk(answer, { items: [{ id: made[1] }, { id: made[2] }, { id: made[0] }], nextSyncToken: absent })
  }),
  scenario('orderBy=updated orders by the last change', '5.3, 1.16', async (kit) => {
    const { path, made } = await createEventsAt(kit, [9, 10])
    await kit.require(kit.patch(`${path}/${made[0]}`, { summary: 'Changed' }))
    expectOk(await kit.get(path, { ...kit.week(), orderBy: 'updated' }), { items: [{ id: made[1] }, { id: made[0] }] })
  }),
  scenario('timeMin excludes an event that ends then, and timeMax one that starts then', '1.15', async (kit) => {
    const { path, made } = await createEventsAt(kit, [8, 9, 10])
    expectOk(await kit.get(path, { timeMin: kit.instant(9), timeMax: kit.instant(10) }), { items: [{ id: made[1] }] })
  }),
  scenario('an event is listed if any part of it is in the window', '1.15', async (kit) => {
    const { path, made } = await createEventsAt(kit, [9])
    const window = { timeMin: `${kit.day()}T09:20:00Z`, timeMax: `${kit.day()}T09:40:00Z` }
    expectOk(await kit.get(path, window), { items: [{ id: made[0] }] })
  }),
  scenario('an all-day event is in a window from midnight to midnight', '13.8, 1.15', async (kit) => {
    const { id } = await kit.createEvent(kit.allDay(2))
    const path = await kit.eventsPath()
    expectOk(await kit.get(path, { timeMin: kit.instant(23, 2), timeMax: kit.instant(0, 3) }), { items: [{ id }] })
    expectOk(await kit.get(path, { timeMin: kit.instant(0, 3), timeMax: kit.instant(1, 3) }), { items: empty })
  }),
  scenario('q finds whole words in any case, and not extended properties', '1.17', async (kit) => {
    const { id } = await kit.createEvent({
      summary: 'Quarterly review',
      extendedProperties: { private: { word: 'zebra' } },
    })
    const path = await kit.eventsPath()
    expectOk(await kit.get(path, { ...kit.week(), q: 'REVIEW quarterly' }), { items: [{ id }] })
    expectOk(await kit.get(path, { ...kit.week(), q: 'zebra' }), { items: empty })
  }),
  scenario('filters by extended properties must all match', '1.18, 5.6', async (kit) => {
    const { id } = await kit.createEvent({ extendedProperties: { private: { a: '1', b: '2=3' } } })
    await kit.createEvent({ extendedProperties: { private: { a: '1' } } })
    const find = async (...privateExtendedProperty: string[]) =>
      kit.get(await kit.eventsPath(), { ...kit.week(), privateExtendedProperty })
    expectOk(await find('a=1', 'b=2=3'), { items: [{ id }], nextSyncToken: absent })
    expectOk(await find('b=2=3', 'a=1'), { items: [{ id }] })
  }),
  scenario('iCalUID selects the event with that UID', '1.18, 4.1.6', async (kit) => {
    const { id, iCalUID } = await kit.createEvent()
    expectOk(await kit.get(await kit.eventsPath(), { iCalUID }), { items: [{ id }] })
  }),
  scenario('iCalUID with showDeleted=true also lists a deleted event', '1.18, 2.3', async (kit) => {
    const { id, iCalUID } = await kit.createEvent()
    const path = await kit.eventsPath()
    await kit.require(kit.delete(`${path}/${id}`))
    expectOk(await kit.get(path, { iCalUID }), { items: empty })
    expectOk(await kit.get(path, { iCalUID, showDeleted: true }), { items: [{ id, status: 'cancelled' }] })
  }),
  scenario('eventTypes may be repeated, and lists events of all these types', '1.18, 8.14, 11.17', async (kit) => {
    const { id } = await kit.createEvent()
    const path = await kit.eventsPath()
    expectOk(await kit.get(path, { ...kit.week(), eventTypes: ['default', 'focusTime'] }), { items: [{ id }] })
    expectOk(await kit.get(path, { ...kit.week(), eventTypes: 'focusTime' }), { items: empty })
  }),
  scenario('updatedMin also returns deleted events', '5.16, 2.3', async (kit) => {
    const made = await kit.createEvent()
    const path = await kit.eventsPath()
    await kit.require(kit.delete(`${path}/${made.id}`))
    expectOk(await kit.get(path, { updatedMin: made.updated }), {
      items: contains({ id: made.id, status: 'cancelled' }),
    })
  }),
  scenario('a maxResults above the maximum is reduced without an error', '1.11', async (kit) => {
    expectOk(await kit.get(await kit.eventsPath(), { maxResults: 9999 }), { kind: 'calendar#events' })
  }),
  scenario('unknown parameters are ignored', '1.10', async (kit) => {
    expectOk(await kit.get(await kit.eventsPath(), { nonsense: 'yes', ...kit.week() }), { items: empty })
  }),
]

export const paging: ScenarioGroup = {
  name: 'lists and pages',
  scenarios: [
    ...lists,
    scenario('pages contain the requested number of items, each item once', '1.11, 3.3, 5.6', async (kit) => {
      const { path, made } = await createEventsAt(kit, [8, 9, 10, 11, 12])
      const first = await kit.get(path, { ...kit.week(), maxResults: 2 })
      expectOk(first, { items: everyItem({ kind: 'calendar#event' }), nextPageToken: text, nextSyncToken: absent })
      const { items, last } = await kit.listAll(path, { ...kit.week(), maxResults: 2 })
      expectTrue(joinIds(items) === made.join(), `the pages hold ${joinIds(items)}, made were ${made.join()}`)
      expectShape(first, last, { nextPageToken: absent, nextSyncToken: text })
    }),
    scenario('a page has maxResults items at most', '1.11', async (kit) => {
      const { path } = await createEventsAt(kit, [8, 9, 10])
      const { items } = expectOk(await kit.get(path, { ...kit.week(), maxResults: 2 }))
      expectTrue(items.length <= 2, `a page of 2 has ${items.length} items`)
    }),
    scenario('an empty pageToken is ignored', '1.11', async (kit) => {
      const { id } = await kit.createEvent()
      expectOk(await kit.get(await kit.eventsPath(), { ...kit.week(), pageToken: '' }), { items: [{ id }] })
    }),
    scenario('pages continue in the order of start', '5.3, 5.5', async (kit) => {
      const { path, made } = await createEventsAt(kit, [12, 9, 10])
      const { items } = await kit.listAll(path, {
        ...kit.week(),
        maxResults: 1,
        orderBy: 'startTime',
        singleEvents: true,
      })
      expectTrue(joinIds(items) === [made[1], made[2], made[0]].join(), `by start the pages hold ${joinIds(items)}`)
    }),
  ],
}

/**
 * Lists all pages of a path with a query, waits for `write`, and returns the response of the list of changes since then, which
 * is requested with the sync token of the last page.
 */
async function listChangesAfter(
  kit: Kit,
  path: string,
  write: () => Promise<unknown>,
  query: Record<string, boolean> = {},
) {
  const { last } = await kit.listAll(path, query)
  await write()
  return kit.get(path, { ...query, syncToken: last.nextSyncToken })
}

export const sync: ScenarioGroup = {
  name: 'sync',
  scenarios: [
    scenario('a delta without changes is empty and has a token', '5.10', async (kit) => {
      expectOk(await listChangesAfter(kit, await kit.eventsPath(), async () => {}), {
        items: empty,
        nextSyncToken: text,
      })
    }),
    scenario('a delta contains created, changed and deleted events, each once', '5.10', async (kit) => {
      const path = await kit.eventsPath()
      const [changed, deleted] = [await kit.createEvent(), await kit.createEvent(kit.hour(11))]
      const delta = await listChangesAfter(kit, path, async () => {
        await kit.require(kit.patch(`${path}/${changed.id}`, { summary: 'One' }))
        await kit.require(kit.patch(`${path}/${changed.id}`, { summary: 'Two' }))
        await kit.require(kit.delete(`${path}/${deleted.id}`))
        await kit.createEvent({ ...kit.hour(13), summary: 'New' })
      })
      const shapes = [{ id: changed.id, summary: 'Two' }, { id: deleted.id, status: 'cancelled' }, { summary: 'New' }]
      expectOk(delta, { items: contains(...shapes), nextSyncToken: text })
      expectTrue(delta.body.items.length === 3, `the delta of three events has ${delta.body.items.length} items`)
    }),
    scenario('a delta contains an event that was created and deleted since then as cancelled', '5.10', async (kit) => {
      const path = await kit.eventsPath()
      let id = ''
      const delta = await listChangesAfter(kit, path, async () => {
        id = (await kit.createEvent()).id
        await kit.require(kit.delete(`${path}/${id}`))
      })
      expectOk(delta, { items: [{ id, status: 'cancelled' }] })
    }),
    scenario('a deleted series is one item of a delta', '5.11', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      const delta = await listChangesAfter(kit, path, () => kit.require(kit.delete(`${path}/${id}`)))
      expectOk(delta, { items: [exactKeys('kind', 'etag', 'id', 'status')] })
      expectShape(delta, delta.body.items, [{ id, status: 'cancelled' }])
    }),
    scenario(
      'a change of one instance brings the series and its exceptions into the delta',
      '5.2, 5.11.1',
      async (kit) => {
        const path = await kit.eventsPath()
        const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
        const instance = `${id}_${kit.instant(9, 1).replace(/[-:]/g, '')}`
        const write = () => kit.require(kit.patch(`${path}/${instance}`, { summary: 'Own' }))
        expectOk(await listChangesAfter(kit, path, write), {
          items: contains({ id }, { id: instance, summary: 'Own' }),
        })
      },
    ),
    scenario(
      'a delta with singleEvents=true contains the instances of a deleted series as cancelled',
      '5.11',
      async (kit) => {
        const path = await kit.eventsPath()
        const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
        const write = () => kit.require(kit.delete(`${path}/${id}`))
        const delta = await listChangesAfter(kit, path, write, { singleEvents: true })
        expectOk(delta, { items: everyItem({ status: 'cancelled' }) })
      },
    ),
    scenario('the token of a delta continues from it', '5.10, 5.13', async (kit) => {
      const path = await kit.eventsPath()
      const delta = await listChangesAfter(kit, path, () => kit.createEvent())
      expectOk(await kit.get(path, { syncToken: expectOk(delta).nextSyncToken }), { items: empty })
    }),
    scenario('a delta with maxResults has several pages', '5.13', async (kit) => {
      const path = await kit.eventsPath()
      const { last } = await kit.listAll(path)
      const made = [await kit.createEvent(), await kit.createEvent(), await kit.createEvent()]
      const { items, last: end, pages } = await kit.listAll(path, { syncToken: last.nextSyncToken, maxResults: 2 })
      expectTrue(
        joinIds(items) === joinIds(made),
        `the delta in pages holds ${joinIds(items)}, made were ${joinIds(made)}`,
      )
      expectTrue(pages > 1, 'a delta of three events in pages of two came in one page')
      expectTrue(typeof end.nextSyncToken === 'string', 'the last page of a delta has no nextSyncToken')
    }),
    scenario('the sync token of a list with timeMin is accepted', '5.9, 5.6', async (kit) => {
      const path = await kit.eventsPath()
      const { last } = await kit.listAll(path, { timeMin: `${kit.day()}T00:00:00Z` })
      const { id } = await kit.createEvent()
      expectOk(await kit.get(path, { syncToken: last.nextSyncToken }), { items: [{ id }] })
    }),
    scenario('a list of instances has a sync token', '4.4, 5.6', async (kit) => {
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}/instances`), { nextSyncToken: text })
    }),
    ...errorScenarios([
      [
        'an invalid sync token of events is 400',
        '5.15, 2.2.5',
        'GET',
        '',
        () => ({ query: { syncToken: 'garbage' } }),
        { status: 400, reason: 'invalid', message: 'Invalid sync token value.' },
      ],
      [
        'an invalid page token of events is 400',
        '5.5, 2.2.5',
        'GET',
        '',
        () => ({ query: { pageToken: 'garbage' } }),
        { status: 400, reason: 'invalid', location: 'pageToken', message: 'Invalid page token value.' },
      ],
      ...(
        [
          ['timeMin', { timeMin: '2031-01-01T00:00:00Z' }],
          ['orderBy', { orderBy: 'updated' }],
          ['q', { q: 'x' }],
          ['updatedMin', { updatedMin: '2031-01-01T00:00:00Z' }],
          ['showDeleted=false', { showDeleted: false }],
        ] as const
      ).map(
        ([name, query]): ErrorRow => [
          `${name} cannot be combined with a sync token of events`,
          '5.8',
          'GET',
          '',
          async (kit) => ({
            query: { ...query, syncToken: (await kit.listAll(await kit.eventsPath())).last.nextSyncToken },
          }),
          { status: 400 },
        ],
      ),
    ]),
    scenario('an updatedMin too far in the past is 410', '5.16, 2.2.5', async (kit) => {
      const answer = await kit.get(await kit.eventsPath(), { updatedMin: '2001-01-01T00:00:00Z' })
      expectStatus(answer, 410)
      expectError(answer, { status: 410, domain: 'calendar', reason: 'updatedMinTooLongAgo' })
    }),
  ],
}
