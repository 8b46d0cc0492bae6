import { expectError, expectOk, expectStatus } from '../expect.ts'
import { absent, contains } from '../matchers.ts'
import { type ScenarioGroup, scenario } from '../scenario.ts'
import { createFourDaySeries } from './seriesHelpers.ts'

export const instances: ScenarioGroup = {
  name: 'instances',
  scenarios: [
    scenario('the id of an instance is that of its series and its start in UTC', '4.1.2, 4.4', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      const answer = await kit.get(`${path}/${id}/instances`)
      expectOk(answer, {
        kind: 'calendar#events',
        items: [0, 1, 2, 3].map((day) => ({ id: at(day), recurringEventId: id })),
      })
    }),
    scenario('an instance has the fields of its series without recurrence', '4.1.3, 4.1.6, 4.5.1', async (kit) => {
      const { path, id, at, made } = await createFourDaySeries(kit, { location: 'Here' })
      expectOk(await kit.get(`${path}/${at(2)}`), {
        ...{ summary: 'Series', location: 'Here', recurrence: absent, recurringEventId: id, etag: made.etag },
        ...{ iCalUID: made.iCalUID, start: { dateTime: kit.instant(9, 2) } },
        originalStartTime: { dateTime: kit.instant(9, 2), timeZone: 'UTC' },
      })
      const shown = { recurringEventId: id, recurrence: absent }
      expectOk(await kit.get(`${path}/${id}/instances`), { items: [shown, shown, shown, shown] })
    }),
    scenario('an instance that the rule does not give is 404', '4.5.1, 2.2.4', async (kit) => {
      const { path, at } = await createFourDaySeries(kit)
      expectError(await kit.get(`${path}/${at(5)}`), { status: 404, reason: 'notFound' })
    }),
    scenario('the id of an instance is case-sensitive', '1.7, 4.1.2', async (kit) => {
      const { path, at } = await createFourDaySeries(kit)
      expectStatus(await kit.get(`${path}/${at(1).replace(/T(\d+)Z$/, 't$1z')}`), 404)
    }),
    scenario('a moved instance keeps its id and its original start', '4.5.2, 4.1.4', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      const moved = {
        id: at(1),
        start: { dateTime: kit.instant(15, 1) },
        originalStartTime: { dateTime: kit.instant(9, 1) },
      }
      expectOk(await kit.patch(`${path}/${at(1)}`, kit.hour(15, 1)), moved)
      expectOk(await kit.get(`${path}/${at(1)}`), { ...moved, recurringEventId: id })
    }),
    scenario('instances are listed by start, also a moved instance', '4.4, 5.3', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      await kit.require(kit.patch(`${path}/${at(0)}`, kit.hour(15, 2)))
      expectOk(await kit.get(`${path}/${id}/instances`), { items: [1, 2, 0, 3].map((day) => ({ id: at(day) })) })
    }),
    scenario('a cancelled instance is hidden, and a DELETE of it is 410', '4.5.3, 4.4', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      expectStatus(await kit.delete(`${path}/${at(1)}`), 204)
      expectStatus(await kit.delete(`${path}/${at(1)}`), 410)
      expectOk(await kit.get(`${path}/${id}/instances`), { items: [0, 2, 3].map((day) => ({ id: at(day) })) })
      const all = await kit.get(`${path}/${id}/instances`, { showDeleted: true })
      expectOk(all, { items: contains({ id: at(1), status: 'cancelled' }) })
    }),
    scenario('PATCH with status confirmed restores a cancelled instance', '4.5.4', async (kit) => {
      const { path, at } = await createFourDaySeries(kit)
      await kit.require(kit.delete(`${path}/${at(1)}`))
      expectOk(await kit.patch(`${path}/${at(1)}`, { ...kit.hour(9, 1), status: 'confirmed' }), { status: 'confirmed' })
    }),
    scenario('originalStart selects one instance', '4.4', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      const picked = (originalStart: string) => kit.get(`${path}/${id}/instances`, { originalStart })
      expectOk(await picked(kit.instant(9, 2)), { items: [{ id: at(2) }] })
      expectOk(await picked(kit.instant(10, 2)), { items: [] })
    }),
    scenario('timeMin and timeMax limit the instances', '4.4, 1.15', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      const window = { timeMin: kit.instant(12, 0), timeMax: kit.instant(9, 2) }
      expectOk(await kit.get(`${path}/${id}/instances`, window), { items: [{ id: at(1) }] })
    }),
    scenario('the only instance of a single event is the event', '4.4, 14.3', async (kit) => {
      const { id } = await kit.createEvent()
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}/instances`), {
        items: [{ id, recurringEventId: absent }],
      })
    }),
    scenario('a write to an instance changes the etag of its series and of all exceptions', '5.2', async (kit) => {
      const { path, id, at, made } = await createFourDaySeries(kit)
      const { etag } = expectOk(await kit.patch(`${path}/${at(1)}`, { summary: 'Changed' }))
      expectOk(await kit.get(`${path}/${id}`), { etag })
      expectError(await kit.put(`${path}/${id}`, { ...made }, { headers: { 'If-Match': made.etag } }), {
        status: 412,
      })
    }),
    scenario('an instance cannot be moved to another calendar', '4.5.6, 7.7', async (kit) => {
      const { path, at } = await createFourDaySeries(kit)
      const destination = await kit.secondCalendarId()
      const answer = await kit.post(`${path}/${at(1)}/move`, undefined, { query: { destination } })
      expectError(answer, {
        status: 400,
        reason: 'cannotChangeOrganizerOfInstance',
        message: 'Cannot change the organizer of an instance.',
      })
    }),
    scenario('an exception keeps its changes when its series changes', '4.6.1', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      await kit.require(kit.patch(`${path}/${at(1)}`, { summary: 'Own' }))
      await kit.require(kit.patch(`${path}/${id}`, { summary: 'Renamed', location: 'There' }))
      expectOk(await kit.get(`${path}/${at(1)}`), { summary: 'Own', location: 'There' })
    }),
  ],
}
