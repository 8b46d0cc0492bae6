import { expectMoved, expectOk, expectTrue } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { absent, empty, text } from '../matchers.ts'
import { type ScenarioGroup, scenario } from '../scenario.ts'

/**
 * Creates an event with these fields and another one. Checks that a search for `q` finds only the first, and that one for a
 * longer word finds none. Rejects with a DifferenceError.
 */
async function expectFound(kit: Kit, body: object, q: string): Promise<void> {
  const { id } = await kit.createEvent(body, { query: { sendUpdates: 'none' } })
  await kit.createEvent(kit.hour(15))
  const path = await kit.eventsPath()
  expectOk(await kit.get(path, { ...kit.week(), q }), { items: [{ id }] })
  expectOk(await kit.get(path, { ...kit.week(), q: `${q}zz` }), { items: empty })
}

export const filters: ScenarioGroup = {
  name: 'filters',
  scenarios: [
    scenario('q finds words of a description', '1.17', (kit) =>
      expectFound(kit, { description: 'Bring the blue folder' }, 'blue'),
    ),
    scenario('q finds words of a location', '1.17', (kit) =>
      expectFound(kit, { location: 'Harbour office' }, 'harbour'),
    ),
    scenario('q finds a guest’s address', '1.17', (kit) =>
      expectFound(kit, { attendees: [{ email: 'quincy@example.com' }] }, 'quincy@example.com'),
    ),
    scenario('q finds a guest’s name', '1.17', (kit) =>
      expectFound(kit, { attendees: [{ email: 'quincy@example.com', displayName: 'Quincy Adler' }] }, 'Adler'),
    ),
    scenario('q finds only events with all its words', '1.17', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'Blue folder', location: 'Harbour' })
      await kit.createEvent({ summary: 'Blue ribbon' })
      expectOk(await kit.get(await kit.eventsPath(), { ...kit.week(), q: 'blue harbour' }), { items: [{ id }] })
    }),
    scenario('a filter by shared extended properties ignores private ones', '1.18', async (kit) => {
      const { id } = await kit.createEvent({ extendedProperties: { shared: { room: 'a' } } })
      await kit.createEvent({ extendedProperties: { private: { room: 'a' } } })
      const path = await kit.eventsPath()
      expectOk(await kit.get(path, { ...kit.week(), sharedExtendedProperty: 'room=a' }), { items: [{ id }] })
      expectOk(await kit.get(path, { ...kit.week(), sharedExtendedProperty: 'room=b' }), { items: empty })
    }),
    scenario('shared extended properties are a filter, and all of them must match', '1.18', async (kit) => {
      const { id } = await kit.createEvent({ extendedProperties: { shared: { room: 'a', floor: '2' } } })
      await kit.createEvent({ extendedProperties: { shared: { room: 'a', floor: '3' } } })
      await kit.createEvent({ extendedProperties: { shared: { floor: '2' } } })
      const path = await kit.eventsPath()
      for (const sharedExtendedProperty of [
        ['room=a', 'floor=2'],
        ['floor=2', 'room=a'],
      ])
        expectOk(await kit.get(path, { ...kit.week(), sharedExtendedProperty }), { items: [{ id }] })
    }),
    scenario('filters match the inherited fields of an instance', '4.3', async (kit) => {
      await kit.createEvent({ summary: 'Zebra crossing', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      const { items } = await kit.listAll(await kit.eventsPath(), { ...kit.week(), singleEvents: true, q: 'zebra' })
      expectTrue(items.length === 3, `q finds ${items.length} of 3 instances`)
    }),
    scenario('updatedMin omits events that were not changed since then', '5.16', async (kit) => {
      const [old, young] = [await kit.createEvent(), await kit.createEvent(kit.hour(11))]
      const write = async (summary: string) =>
        expectOk(await kit.patch(`${await kit.eventsPath()}/${young.id}`, { summary }))
      let after = await write('New')
      // A fast server answers several writes within a millisecond, which is the resolution of `updated`.
      for (let n = 1; n <= 200 && after.updated === old.updated; n++) after = await write(`New ${n}`)
      expectMoved(old, after)
      const updatedMin = after.updated
      expectOk(await kit.get(await kit.eventsPath(), { ...kit.week(), updatedMin }), { items: [{ id: young.id }] })
    }),
    scenario('the instances of a deleted series are listed with singleEvents and showDeleted', '4.3', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      await kit.require(kit.delete(`${path}/${id}`))
      const { items } = await kit.listAll(path, { ...kit.week(), singleEvents: true, showDeleted: true })
      expectTrue(
        items.length === 2 && items.every(({ status }) => status === 'cancelled'),
        `${items.length} instances are listed`,
      )
    }),
    scenario('a list of events has 250 items by default', '1.11', async (kit) => {
      const path = `/calendars/${await kit.createOwnCalendar()}/events`
      const { id } = await kit.require(kit.post(path, { ...kit.hour(9), recurrence: ['RRULE:FREQ=DAILY;COUNT=260'] }))
      for (const [list, query] of [
        [path, { singleEvents: true }],
        [`${path}/${id}/instances`, {}],
      ] as const) {
        const { items } = expectOk(await kit.get(list, query), { nextPageToken: text })
        expectTrue(items.length === 250, `a page of ${list} has ${items.length} items by default`)
      }
    }),
    scenario('a list of rules has 100 items by default', '1.11', async (kit) => {
      const path = `/calendars/${await kit.createOwnCalendar()}/acl`
      for (let reader = 0; reader < 101; reader++) {
        const scope = { type: 'user', value: `${await kit.unusedId()}-${reader}@example.com` }
        await kit.require(kit.post(path, { role: 'reader', scope }, { query: { sendNotifications: false } }))
      }
      const { items } = expectOk(await kit.get(path), { nextPageToken: text })
      expectTrue(items.length === 100, `a page of rules has ${items.length} items by default`)
    }),
    scenario('maxResults raises the number of events on a page', '1.11', async (kit) => {
      const path = `/calendars/${await kit.createOwnCalendar()}/events`
      await kit.require(kit.post(path, { ...kit.hour(9), recurrence: ['RRULE:FREQ=DAILY;COUNT=300'] }))
      const { items } = expectOk(await kit.get(path, { singleEvents: true, maxResults: 2500 }), {
        nextPageToken: absent,
      })
      expectTrue(items.length === 300, `a page of 2500 has ${items.length} of 300 items`)
    }),
    scenario('lists of calendars, rules and settings accept maxResults', '1.11', async (kit) => {
      await kit.calendarId()
      const acl = (await kit.eventsPath()).replace(/events$/, 'acl')
      for (const list of ['/users/me/calendarList', acl, '/users/me/settings']) {
        const { items, nextPageToken } = expectOk(await kit.get(list, { maxResults: 1 }), {
          nextPageToken: text,
          nextSyncToken: absent,
        })
        expectTrue(items.length === 1, `a page of one of ${list} has ${items.length} items`)
        const next = expectOk(await kit.get(list, { maxResults: 1, pageToken: nextPageToken }))
        expectTrue(next.items[0]?.id !== items[0]?.id, `the second page of ${list} holds the first item again`)
      }
    }),
    scenario('a sync token may be used twice', '5.10', async (kit) => {
      const path = await kit.eventsPath()
      const { last } = await kit.listAll(path)
      const { id } = await kit.createEvent()
      for (let time = 0; time < 2; time++)
        expectOk(await kit.get(path, { syncToken: last.nextSyncToken }), { items: [{ id }] })
    }),
    scenario('a page token may be used twice', '5.5', async (kit) => {
      const path = await kit.eventsPath()
      for (const hour of [8, 10, 12]) await kit.createEvent(kit.hour(hour))
      const query = { ...kit.week(), maxResults: 1 }
      const { nextPageToken } = expectOk(await kit.get(path, query), { nextPageToken: text })
      const [once, twice] = [
        await kit.get(path, { ...query, pageToken: nextPageToken }),
        await kit.get(path, { ...query, pageToken: nextPageToken }),
      ]
      expectOk(twice, { items: expectOk(once).items.map(({ id }) => ({ id })) })
    }),
  ],
}
