import { expectError, expectOk, expectStatus } from '../expect.ts'
import { absent, contains } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

export const moves: ScenarioGroup = {
  name: 'move',
  scenarios: [
    scenario('a move returns the cancelled event of the source', '7.7, 3.2.8', async (kit) => {
      const made = await kit.createEvent({ summary: 'Moving' })
      const destination = await kit.secondCalendarId()
      const answer = await kit.post(`${await kit.eventsPath()}/${made.id}/move`, undefined, { query: { destination } })
      const { id, etag, updated, sequence } = made
      expectOk(answer, {
        id,
        etag,
        updated,
        sequence,
        status: 'cancelled',
        organizer: { email: destination, self: absent },
      })
    }),
    scenario('a moved event keeps its id and iCalUID on the destination', '7.7', async (kit) => {
      const { id, iCalUID } = await kit.createEvent({ summary: 'Moving' })
      const destination = await kit.secondCalendarId()
      await kit.require(kit.post(`${await kit.eventsPath()}/${id}/move`, undefined, { query: { destination } }))
      const organizer = { email: destination, self: true }
      expectOk(await kit.get(`/calendars/${destination}/events/${id}`), {
        id,
        iCalUID,
        status: 'confirmed',
        summary: 'Moving',
        organizer,
      })
    }),
    scenario('a moved event leaves a stub on the source', '7.7', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'Moving' })
      const path = `${await kit.eventsPath()}/${id}`
      const destination = await kit.secondCalendarId()
      await kit.require(kit.post(`${path}/move`, undefined, { query: { destination } }))
      expectOk(await kit.get(path), { status: 'cancelled', summary: absent, transparency: 'transparent' })
      expectStatus(await kit.delete(path), 410)
      expectError(await kit.patch(path, { summary: 'x' }), { status: 400, message: 'Invalid start time.' })
    }),
    scenario('a move to the same calendar changes nothing', '7.7', async (kit) => {
      const { id, etag } = await kit.createEvent()
      const path = await kit.eventsPath()
      const destination = await kit.calendarId()
      expectOk(await kit.post(`${path}/${id}/move`, undefined, { query: { destination } }), {
        id,
        etag,
        status: 'confirmed',
      })
    }),
    scenario('a move of a series moves its exceptions', '7.7, 4.5.6', async (kit) => {
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      const path = await kit.eventsPath()
      const instance = `${id}_${kit.instant(9, 1).replace(/[-:]/g, '')}`
      await kit.require(kit.patch(`${path}/${instance}`, { summary: 'Own' }))
      const destination = await kit.secondCalendarId()
      await kit.require(kit.post(`${path}/${id}/move`, undefined, { query: { destination } }))
      expectOk(await kit.get(`/calendars/${destination}/events`), {
        items: contains({ id }, { id: instance, summary: 'Own' }),
      })
    }),
    ...errorScenarios([
      [
        'a move without a destination is rejected',
        '7.7, 1.24, 2.2.1',
        'POST',
        async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}/move`,
        undefined,
        { status: 400, reason: 'required', location: 'destination', message: 'Required parameter: destination' },
      ],
      [
        'a move to a calendar that does not exist is 404',
        '7.7',
        'POST',
        async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}/move`,
        () => ({ query: { destination: 'fake-calendar-nobody@group.calendar.google.com' } }),
        { status: 404, reason: 'notFound' },
      ],
    ]),
  ],
}

export const imports: ScenarioGroup = {
  name: 'import',
  scenarios: [
    scenario('an import keeps the iCalUID, and its id follows from it', '7.8, 3.2.4', async (kit) => {
      const iCalUID = `${await kit.unusedId()}@example.com`
      expectOk(await kit.post(`${await kit.eventsPath()}/import`, { ...kit.hour(9), iCalUID, summary: 'In' }), {
        ...{ iCalUID, id: /^_[0-9a-v]+$/, summary: 'In', eventType: 'default', privateCopy: absent },
      })
    }),
    scenario('an import with an existing iCalUID updates the event', '7.8', async (kit) => {
      const iCalUID = `${await kit.unusedId()}@example.com`
      const path = `${await kit.eventsPath()}/import`
      const { id } = expectOk(await kit.post(path, { ...kit.hour(9), iCalUID, summary: 'One' }))
      expectOk(await kit.post(path, { ...kit.hour(9), iCalUID, summary: 'Two' }), { id, summary: 'Two' })
      expectOk(await kit.get(await kit.eventsPath(), { iCalUID }), { items: [{ id, summary: 'Two' }] })
    }),
    scenario('an import restores a deleted event', '7.8, 2.3', async (kit) => {
      const iCalUID = `${await kit.unusedId()}@example.com`
      const path = await kit.eventsPath()
      const { id } = await kit.require(kit.post(`${path}/import`, { ...kit.hour(9), iCalUID }))
      await kit.require(kit.delete(`${path}/${id}`))
      expectOk(await kit.post(`${path}/import`, { ...kit.hour(9), iCalUID }), { id, status: 'confirmed' })
    }),
    scenario('an insert with an existing iCalUID is 409', '7.8, 2.2.4', async (kit) => {
      const iCalUID = `${await kit.unusedId()}@example.com`
      const path = await kit.eventsPath()
      await kit.require(kit.post(`${path}/import`, { ...kit.hour(9), iCalUID }))
      expectError(await kit.post(path, { ...kit.hour(9), iCalUID }), { status: 409, reason: 'duplicate' })
    }),
    scenario('an import drops the properties of event types', '7.8, 8.15', async (kit) => {
      const body = {
        ...kit.hour(9),
        iCalUID: `${await kit.unusedId()}@example.com`,
        eventType: 'focusTime',
        focusTimeProperties: {},
      }
      expectOk(await kit.post(`${await kit.eventsPath()}/import`, body), {
        eventType: 'default',
        focusTimeProperties: absent,
      })
    }),
    ...errorScenarios([
      [
        'an import without an iCalUID is rejected',
        '1.25, 7.8',
        'POST',
        'import',
        (kit) => ({ body: kit.hour(9) }),
        { status: 400 },
      ],
      [
        'an import that the calendar’s owner neither organizes nor attends is rejected',
        '7.8, 2.2.6',
        'POST',
        'import',
        async (kit) => ({
          body: {
            ...kit.hour(9),
            iCalUID: `${await kit.unusedId()}@example.com`,
            organizer: { email: 'someone@example.org' },
          },
        }),
        { status: 400, domain: 'calendar', reason: 'participantIsNeitherOrganizerNorAttendee' },
      ],
    ]),
  ],
}
