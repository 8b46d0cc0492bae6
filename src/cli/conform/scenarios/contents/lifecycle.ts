import { expectError, expectOk, expectStatus, expectTrue } from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { absent, contains, exactKeys } from '../../matchers.ts'
import { type ScenarioGroup, scenario } from '../../scenario.ts'
import { toCompactInstant } from '../seriesHelpers.ts'

const QUIET = { query: { sendUpdates: 'none' } }
const GUEST = { as: 'guest' } as const

/**
 * Creates a series of three days, from 9 to 10 on each. Returns the path of its events, the series (`made`), its id, and `at`,
 * which returns the id of the instance at a day.
 */
async function createThreeDaySeries(kit: Kit, body: object = {}) {
  const path = await kit.eventsPath()
  const made = await kit.createEvent({ summary: 'Series', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], ...body })
  return { path, made, id: made.id, at: (day: number) => `${made.id}_${toCompactInstant(kit.instant(9, day))}` }
}

export const lifecycle: ScenarioGroup = {
  name: 'lifecycle',
  scenarios: [
    scenario('a deletion changes etag and updated', '5.1', async (kit) => {
      const { id, etag } = await kit.createEvent({ summary: 'Stamped' })
      const path = `${await kit.eventsPath()}/${id}`
      await kit.require(kit.delete(path))
      expectTrue(expectOk(await kit.get(path)).etag !== etag, 'a deletion leaves the etag')
    }),
    scenario('PUT with status confirmed restores a deleted event', '2.3', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'Back' })
      const path = `${await kit.eventsPath()}/${id}`
      await kit.require(kit.delete(path))
      expectOk(await kit.put(path, { ...kit.hour(9), status: 'confirmed' }), { id, status: 'confirmed' })
      expectOk(await kit.get(await kit.eventsPath(), kit.week()), { items: [{ id }] })
    }),
    scenario('a delta with showDeleted=true contains deleted events with all fields', '5.10', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ summary: 'Gone' })
      const { last } = await kit.listAll(path, { showDeleted: true })
      await kit.require(kit.delete(`${path}/${id}`))
      const delta = await kit.get(path, { showDeleted: true, syncToken: last.nextSyncToken })
      expectOk(delta, { items: [{ id, status: 'cancelled', summary: 'Gone' }] })
    }),
    scenario(
      'a list with showDeleted=true contains a cancelled instance with all fields',
      '4.1.5, 4.3',
      async (kit) => {
        const { path, id, at } = await createThreeDaySeries(kit)
        await kit.require(kit.delete(`${path}/${at(1)}`))
        const whole = { id: at(1), status: 'cancelled', summary: 'Series', recurringEventId: id }
        for (const singleEvents of [false, true])
          expectOk(await kit.get(path, { ...kit.week(), showDeleted: true, singleEvents }), { items: contains(whole) })
      },
    ),
    scenario('a delta contains cancelled instances as stubs', '5.11.1', async (kit) => {
      const { path, id, at } = await createThreeDaySeries(kit)
      const { last } = await kit.listAll(path)
      await kit.require(kit.delete(`${path}/${at(1)}`))
      const delta = await kit.get(path, { syncToken: last.nextSyncToken })
      expectOk(delta, { items: contains({ id, status: 'confirmed' }, { id: at(1), status: 'cancelled' }) })
      const stub = delta.body.items.find((one) => one.id === at(1))
      expectOk(
        { ...delta, body: stub ?? delta.body },
        exactKeys('kind', 'etag', 'id', 'status', 'recurringEventId', 'originalStartTime'),
      )
    }),
    scenario('a write to one instance brings all exceptions into the delta', '5.2, 5.11.1', async (kit) => {
      const { path, id, at } = await createThreeDaySeries(kit)
      await kit.require(kit.patch(`${path}/${at(0)}`, { summary: 'First' }))
      const { last } = await kit.listAll(path)
      const { etag } = await kit.require(kit.patch(`${path}/${at(2)}`, { summary: 'Third' }))
      const delta = await kit.get(path, { syncToken: last.nextSyncToken })
      expectOk(delta, { items: contains({ id, etag }, { id: at(0), etag }, { id: at(2), etag }) })
    }),
    scenario('PATCH with status cancelled deletes an instance', '4.5.3', async (kit) => {
      const { path, id, at } = await createThreeDaySeries(kit)
      expectOk(await kit.patch(`${path}/${at(1)}`, { status: 'cancelled' }), { id: at(1), status: 'cancelled' })
      expectOk(await kit.get(`${path}/${id}/instances`), { items: [{ id: at(0) }, { id: at(2) }] })
      expectStatus(await kit.delete(`${path}/${at(1)}`), 410)
    }),
    scenario('a deletion of a series cancels its exceptions', '4.13', async (kit) => {
      const { path, id, at } = await createThreeDaySeries(kit)
      await kit.require(kit.patch(`${path}/${at(1)}`, { summary: 'Own' }))
      await kit.require(kit.delete(`${path}/${id}`))
      expectOk(await kit.get(`${path}/${at(1)}`), { status: 'cancelled' })
      expectOk(await kit.get(path, kit.week()), { items: [] })
    }),
    scenario('PATCH with recurrence turns an event into a series', '4.6.3', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent()
      const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
      expectOk(await kit.patch(`${path}/${id}`, { recurrence }), { id, recurrence })
      const day = (at: number) => ({ id: `${id}_${toCompactInstant(kit.instant(9, at))}` })
      expectOk(await kit.get(`${path}/${id}/instances`), { items: [day(0), day(1)] })
    }),
    scenario('a series without an instance in the window is not listed', '4.10', async (kit) => {
      const path = await kit.eventsPath()
      await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;INTERVAL=3;COUNT=2'] })
      const window = { timeMin: kit.instant(0, 1), timeMax: kit.instant(0, 3) }
      expectOk(await kit.get(path, window), { items: [] })
    }),
    scenario('a moved instance is listed by its own time', '4.10', async (kit) => {
      const { path, at } = await createThreeDaySeries(kit)
      await kit.require(kit.patch(`${path}/${at(1)}`, kit.hour(9, 5)))
      const window = { timeMin: kit.instant(0, 5), timeMax: kit.instant(0, 6) }
      expectOk(await kit.get(path, { ...window, singleEvents: true }), { items: [{ id: at(1) }] })
      const was = { timeMin: kit.instant(0, 1), timeMax: kit.instant(0, 2), singleEvents: true }
      expectOk(await kit.get(path, was), { items: [] })
    }),
    scenario('the names of recurrence lines are returned in upper case', '4.2.7', async (kit) => {
      const { recurrence } = await kit.createEvent({ recurrence: ['rrule:FREQ=DAILY;COUNT=2'] })
      expectTrue(JSON.stringify(recurrence) === '["RRULE:FREQ=DAILY;COUNT=2"]', `recurrence is ${recurrence}`)
    }),
    scenario('UNTIL with a time is cut to its date in an all-day series', '4.2.7', async (kit) => {
      const until = kit.day(2).replaceAll('-', '')
      const { id } = await kit.createEvent({ ...kit.allDay(), recurrence: [`RRULE:FREQ=DAILY;UNTIL=${until}T000000Z`] })
      const { items } = expectOk(await kit.get(`${await kit.eventsPath()}/${id}/instances`))
      expectTrue(items.length === 3, `a series of three days has ${items.length} instances`)
    }),
    scenario('an EXDATE of a date has no effect on a timed series', '4.2.7', async (kit) => {
      const day = kit.day(1).replaceAll('-', '')
      const { id } = await kit.createEvent({ recurrence: [`EXDATE;VALUE=DATE:${day}`, 'RRULE:FREQ=DAILY;COUNT=2'] })
      const { items } = expectOk(await kit.get(`${await kit.eventsPath()}/${id}/instances`))
      expectTrue(items.length === 2, `a series of two has ${items.length} instances`)
    }),
    scenario('originalStart of an all-day series is a date', '4.4', async (kit) => {
      const { id } = await kit.createEvent({ ...kit.allDay(), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      const query = { originalStart: kit.day(1) }
      const instance = { id: `${id}_${kit.day(1).replaceAll('-', '')}` }
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}/instances`, query), { items: [instance] })
    }),
    scenario('a list of instances has the envelope of a list of events', '4.4, 3.3.1', async (kit) => {
      const { path, id } = await createThreeDaySeries(kit)
      expectOk(await kit.get(`${path}/${id}/instances`), {
        ...{ kind: 'calendar#events', etag: /^".+"$/, description: '', timeZone: 'UTC', accessRole: 'owner' },
        defaultReminders: [],
      })
    }),
    scenario('the link of an instance contains its id', '3.2.5', async (kit) => {
      const { path, at } = await createThreeDaySeries(kit)
      const { htmlLink } = expectOk(await kit.get(`${path}/${at(1)}`))
      const eid = atob(new URL(htmlLink).searchParams.get('eid') ?? '')
      expectTrue(eid.startsWith(`${at(1)} `), `the link of an instance holds ${eid}`)
    }),
    scenario('an import of an event with another organizer is a private copy', '7.8', async (kit) => {
      const email = await kit.calendarId()
      const body = {
        ...{ ...kit.hour(9), iCalUID: `${await kit.unusedId()}@example.com`, organizer: { email: 'zoe@example.com' } },
        attendees: [{ email, responseStatus: 'tentative' }],
      }
      expectOk(await kit.post(`${await kit.eventsPath()}/import`, body), {
        ...{ privateCopy: true, guestsCanInviteOthers: false, guestsCanSeeOtherGuests: false },
        organizer: { email: 'zoe@example.com', self: absent },
        attendees: [{ email, responseStatus: 'tentative' }],
      })
    }),
    scenario('an import of an instance creates an exception', '7.8, 4.5.5', async (kit) => {
      const path = await kit.eventsPath()
      const iCalUID = `${await kit.unusedId()}@example.com`
      const master = { ...kit.hour(9), iCalUID, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
      const { id } = await kit.require(kit.post(`${path}/import`, master))
      const exception = { ...kit.hour(15, 1), iCalUID, recurringEventId: id, originalStartTime: kit.hour(9, 1).start }
      expectOk(await kit.post(`${path}/import`, exception), {
        id: `${id}_${toCompactInstant(kit.instant(9, 1))}`,
        recurringEventId: id,
        start: { dateTime: kit.instant(15, 1) },
      })
    }),
    scenario('recurringEventId in an insert is ignored', '4.5.5', async (kit) => {
      const { path, id } = await createThreeDaySeries(kit)
      const body = { ...kit.hour(9, 1), recurringEventId: id, originalStartTime: kit.hour(9, 1).start }
      expectOk(await kit.post(path, body), { recurringEventId: absent, originalStartTime: absent })
    }),
    scenario('an import with a lower sequence is rejected', '7.8, 3.2.7', async (kit) => {
      const path = `${await kit.eventsPath()}/import`
      const body = { ...kit.hour(9), iCalUID: `${await kit.unusedId()}@example.com` }
      await kit.require(kit.post(path, { ...body, sequence: 3 }))
      const answer = await kit.post(path, { ...body, sequence: 2 })
      expectError(answer, { status: 400, reason: 'invalid', message: /^Invalid sequence value\./ })
    }),
    scenario('an import of a cancelled event is accepted', '7.8', async (kit) => {
      const body = { ...kit.hour(9), iCalUID: `${await kit.unusedId()}@example.com`, status: 'cancelled' }
      expectOk(await kit.post(`${await kit.eventsPath()}/import`, body), { status: 'cancelled' })
    }),
    scenario('the stub of a moved event starts on 2000-01-01', '7.7', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'Moving', location: 'Here' })
      const path = `${await kit.eventsPath()}/${id}`
      const destination = await kit.secondCalendarId()
      await kit.require(kit.post(`${path}/move`, undefined, { query: { destination } }))
      const stub = await kit.get(path)
      const names = ['kind', 'etag', 'id', 'status', 'htmlLink', 'updated', 'start', 'end', 'transparency', 'iCalUID']
      expectOk(stub, exactKeys(...names))
      expectTrue(/"2000-01-01/.test(stub.text), `the stub lies at ${JSON.stringify(stub.body.start)}`)
    }),
    scenario('a move returns the destination as the organizer', '7.7', async (kit) => {
      const { id } = await kit.createEvent()
      const destination = await kit.secondCalendarId()
      const { summary } = await kit.require(kit.get(`/calendars/${destination}`))
      const answer = await kit.post(`${await kit.eventsPath()}/${id}/move`, undefined, { query: { destination } })
      expectOk(answer, { organizer: { email: destination, displayName: summary, self: absent } })
    }),
    scenario(
      'a copy that the guest deleted keeps its details',
      '7.4',
      async (kit) => {
        const email = await kit.guestEmail()
        const { id } = await kit.createEvent({ summary: 'Meeting', attendees: [{ email }] }, QUIET)
        const theirs = `/calendars/primary/events/${id}`
        await kit.require(kit.delete(theirs, { ...QUIET, ...GUEST }))
        expectOk(await kit.get(theirs, {}, GUEST), { status: 'cancelled', summary: 'Meeting' })
      },
      'guest',
    ),
    scenario(
      'a guest may neither remove other guests nor respond for them',
      '7.3',
      async (kit) => {
        const email = await kit.guestEmail()
        const other = { email: 'zoe@example.com', responseStatus: 'needsAction' }
        const { id } = await kit.createEvent({ attendees: [{ email }, other] }, QUIET)
        const mine = `${await kit.eventsPath()}/${id}`
        const theirs = `/calendars/primary/events/${id}`
        kit.onCleanUp(() => kit.delete(mine, QUIET))
        const answer = { email, responseStatus: 'accepted' }
        await kit.require(kit.patch(theirs, { attendees: [answer] }, { ...QUIET, ...GUEST }))
        expectOk(await kit.get(mine), { attendees: contains(other, answer) })
        const attendees = [answer, { ...other, responseStatus: 'declined' }]
        await kit.require(kit.patch(theirs, { attendees }, { ...QUIET, ...GUEST }))
        expectOk(await kit.get(mine), { attendees: contains(other) })
      },
      'guest',
    ),
    scenario(
      'a guest’s response to one instance applies to that instance only',
      '7.2, 4.5.2',
      async (kit) => {
        const email = await kit.guestEmail()
        const { path, id, at } = await createThreeDaySeries(kit, { attendees: [{ email }] })
        kit.onCleanUp(() => kit.delete(`${path}/${id}`, QUIET))
        const attendees = [{ email, responseStatus: 'declined' }]
        const theirs = `/calendars/primary/events/${at(1)}`
        await kit.require(kit.patch(theirs, { attendees }, { ...QUIET, ...GUEST }))
        expectOk(await kit.get(`${path}/${at(1)}`), { attendees })
        expectOk(await kit.get(`${path}/${at(2)}`), { attendees: [{ email, responseStatus: 'needsAction' }] })
      },
      'guest',
    ),
  ],
}
