import { expectOk, expectTrue } from '../../expect.ts'
import { absent } from '../../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../../scenario.ts'

const QUIET = { query: { sendUpdates: 'none' } }

/** Values that a client writes, none of them a default. */
const WRITABLE = {
  location: 'Here',
  description: 'Why',
  colorId: '4',
  transparency: 'transparent',
  visibility: 'private',
  guestsCanModify: true,
  guestsCanInviteOthers: false,
  guestsCanSeeOtherGuests: false,
  anyoneCanAddSelf: true,
  extendedProperties: { private: { a: '1' }, shared: { b: '2' } },
  attendees: [{ email: 'zoe@example.com', displayName: 'Zoe', additionalGuests: 2, comment: 'Late', optional: true }],
  source: { title: 'A', url: 'https://example.com/' },
}

export const writes: ScenarioGroup = {
  name: 'writes',
  scenarios: [
    scenario('fields that clients may write are stored', '3.2.12, 3.2.9, 7.2', async (kit) => {
      const made = await kit.post(await kit.eventsPath(), { ...kit.hour(9), ...WRITABLE }, QUIET)
      expectOk(made, WRITABLE)
      expectOk(await kit.get(`${await kit.eventsPath()}/${made.body.id}`), WRITABLE)
    }),
    scenario('PUT resets omitted fields to their defaults', '3.9.1', async (kit) => {
      const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] }
      const { id } = await kit.createEvent({ ...WRITABLE, reminders }, QUIET)
      const path = `${await kit.eventsPath()}/${id}`
      const after = {
        ...Object.fromEntries(Object.keys(WRITABLE).map((name) => [name, absent])),
        reminders: { useDefault: true, overrides: absent },
      }
      expectOk(await kit.put(path, kit.hour(9), QUIET), after)
      expectOk(await kit.get(path), after)
    }),
    scenario('PUT without recurrence removes it', '3.9.1, 4.6.3', async (kit) => {
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      expectOk(await kit.put(`${await kit.eventsPath()}/${id}`, kit.hour(9)), { id, recurrence: absent })
    }),
    scenario('PATCH keeps omitted fields', '3.9.2', async (kit) => {
      const { id } = await kit.createEvent(WRITABLE, QUIET)
      expectOk(await kit.patch(`${await kit.eventsPath()}/${id}`, { summary: 'New' }, QUIET), {
        ...WRITABLE,
        summary: 'New',
      })
    }),
    scenario('PATCH merges both maps of extended properties', '3.9.2', async (kit) => {
      const { id } = await kit.createEvent(WRITABLE, QUIET)
      const body = { extendedProperties: { shared: { b: null, c: '3' } } }
      const { extendedProperties } = expectOk(await kit.patch(`${await kit.eventsPath()}/${id}`, body, QUIET))
      const found = JSON.stringify(extendedProperties)
      expectTrue(found === '{"private":{"a":"1"},"shared":{"c":"3"}}', `the extended properties are ${found}`)
    }),
    scenario('null in a PATCH removes a whole map, a list and a flag', '3.9.2', async (kit) => {
      const { id } = await kit.createEvent(WRITABLE, QUIET)
      const body = { extendedProperties: null, attendees: null, visibility: null, guestsCanModify: null }
      const after = Object.fromEntries(Object.keys(body).map((name) => [name, absent]))
      expectOk(await kit.patch(`${await kit.eventsPath()}/${id}`, body, QUIET), after)
    }),
    scenario('a tentative event is stored', '3.2.13', async (kit) => {
      const { id } = expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), status: 'tentative' }), {
        status: 'tentative',
      })
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`), { status: 'tentative' })
    }),
    scenario('PUT with a new time raises sequence, and with equal times does not', '3.2.7', async (kit) => {
      const { id } = await kit.createEvent()
      const path = `${await kit.eventsPath()}/${id}`
      expectOk(await kit.put(path, { ...kit.hour(9), summary: 'A' }), { sequence: 0 })
      expectOk(await kit.put(path, kit.hour(11)), { sequence: 1 })
    }),
    scenario('a new end alone raises sequence', '3.2.7', async (kit) => {
      const { id } = await kit.createEvent()
      expectOk(await kit.patch(`${await kit.eventsPath()}/${id}`, { end: kit.hour(10).end }), { sequence: 1 })
    }),
    scenario('new guests and a new description keep sequence', '3.2.7', async (kit) => {
      const { id } = await kit.createEvent()
      const body = { attendees: [{ email: 'zoe@example.com' }], description: 'New' }
      expectOk(await kit.patch(`${await kit.eventsPath()}/${id}`, body, QUIET), { sequence: 0 })
    }),
    scenario('new reminders, another colour and a new location keep sequence', '3.2.7', async (kit) => {
      const { id } = await kit.createEvent()
      const path = `${await kit.eventsPath()}/${id}`
      const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] }
      expectOk(await kit.patch(path, { reminders }), { reminders, sequence: 0 })
      expectOk(await kit.patch(path, { colorId: '5', location: 'Room 5' }), { colorId: '5', sequence: 0 })
    }),
    scenario('a move keeps sequence', '3.2.7, 7.7', async (kit) => {
      const { id } = await kit.createEvent()
      const destination = await kit.secondCalendarId()
      expectOk(await kit.post(`${await kit.eventsPath()}/${id}/move`, undefined, { query: { destination } }), {
        sequence: 0,
      })
      expectOk(await kit.get(`/calendars/${destination}/events/${id}`), { sequence: 0 })
    }),
    scenario('a write keeps created, id and iCalUID', '3.9.1', async (kit) => {
      const { id, created, iCalUID, creator, organizer } = await kit.createEvent({ summary: 'Kept' })
      const path = `${await kit.eventsPath()}/${id}`
      const unchanged = { id, created, iCalUID, creator, organizer }
      expectOk(await kit.put(path, { ...kit.hour(11), id: 'another', created: '2001-01-01T00:00:00Z' }), unchanged)
      expectOk(
        await kit.patch(path, { id: 'another', iCalUID: 'a@example.com', organizer: { email: 'x@y.org' } }),
        unchanged,
      )
    }),
    scenario('updated of a list is the last change of an event', '3.3', async (kit) => {
      const path = `/calendars/${await kit.createOwnCalendar()}/events`
      const { id } = await kit.require(kit.post(path, kit.hour(9)))
      await kit.require(kit.post(path, kit.hour(11)))
      const { updated } = await kit.require(kit.patch(`${path}/${id}`, { summary: 'New' }))
      expectOk(await kit.get(path), { updated })
    }),
    scenario('a list of events names its calendar', '3.3, 3.3.1', async (kit) => {
      const id = await kit.createOwnCalendar({ description: 'What for', timeZone: 'Asia/Kolkata' })
      const { summary } = await kit.require(kit.get(`/calendars/${id}`))
      expectOk(await kit.get(`/calendars/${id}/events`), { summary, description: 'What for', timeZone: 'Asia/Kolkata' })
    }),
    scenario('reminders by sms are not stored', '3.2.10', async (kit) => {
      const overrides = [
        { method: 'sms', minutes: 5 },
        { method: 'popup', minutes: 6 },
      ]
      const { reminders } = expectOk(
        await kit.post(await kit.eventsPath(), { ...kit.hour(9), reminders: { useDefault: false, overrides } }),
      )
      const found = JSON.stringify(reminders)
      expectTrue(
        found === '{"useDefault":false,"overrides":[{"method":"popup","minutes":6}]}',
        `reminders are ${found}`,
      )
    }),
    scenario('an extended property with a key above 44 characters is not stored', '12.8', async (kit) => {
      const [good, long] = ['k'.repeat(44), 'k'.repeat(45)]
      const body = { ...kit.hour(9), extendedProperties: { private: { [good]: '1', [long]: '2' } } }
      const answer = await kit.post(await kit.eventsPath(), body)
      const { extendedProperties } = expectOk(answer) as unknown as { extendedProperties: { private: object } }
      const found = JSON.stringify(extendedProperties.private)
      expectTrue(found === JSON.stringify({ [good]: '1' }), `the extended properties are ${found}`)
    }),
    scenario('a timestamp with an offset without a colon is accepted', '1.14', async (kit) => {
      const { id } = await kit.createEvent()
      const bounds = { timeMin: `${kit.day()}T10:30:00+0100`, timeMax: `${kit.day()}T11:30:00+0100` }
      expectOk(await kit.get(await kit.eventsPath(), bounds), { items: [{ id }] })
      expectOk(await kit.post('/freeBusy', { ...bounds, items: [] }), { timeMin: `${kit.day()}T09:30:00.000Z` })
    }),
    scenario('the offset of timeMin and timeMax is applied', '1.14', async (kit) => {
      const { id } = await kit.createEvent()
      const window = (offset: string) => ({
        timeMin: `${kit.day()}T09:00:00${offset}`,
        timeMax: `${kit.day()}T10:00:00${offset}`,
      })
      expectOk(await kit.get(await kit.eventsPath(), window('+00:00')), { items: [{ id }] })
      expectOk(await kit.get(await kit.eventsPath(), window('+05:00')), { items: [] })
      expectOk(await kit.get(await kit.eventsPath(), window('-05:00')), { items: [] })
    }),
    scenario('q finds the organizer', '1.17', async (kit) => {
      const { id } = await kit.createEvent()
      const { organizer } = (await kit.createEvent(kit.hour(11))) as unknown as { organizer: { email: string } }
      const { items } = await kit.listAll(await kit.eventsPath(), { ...kit.week(), q: organizer.email })
      expectTrue(
        items.some((one) => one.id === id),
        `q=${organizer.email} finds ${items.length} of 2 events`,
      )
    }),
    ...errorScenarios([
      ...([40_321, -1] as const).map(
        (minutes) =>
          [
            `a reminder of ${minutes} minutes is rejected`,
            '3.2.10, 12.7',
            'POST' as const,
            '',
            (kit: Parameters<Parameters<typeof scenario>[2]>[0]) => ({
              body: { ...kit.hour(9), reminders: { useDefault: false, overrides: [{ method: 'popup', minutes }] } },
            }),
            { status: 400 },
          ] as const,
      ),
      [
        '26 attachments are rejected',
        '8.16',
        'POST',
        '',
        (kit) => ({
          body: {
            ...kit.hour(9),
            attachments: Array.from({ length: 26 }, (_, at) => ({ fileUrl: `https://example.com/${at}`, title: 'A' })),
          },
          query: { supportsAttachments: true },
        }),
        { status: 400 },
      ],
      [
        'an attachment without a fileUrl is rejected',
        '8.16',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), attachments: [{ title: 'A' }] }, query: { supportsAttachments: true } }),
        { status: 400 },
      ],
    ]),
    scenario('an insert of a calendar stores its zone, and PATCH changes it', '3.4.1, 3.4.2, 3.4.5', async (kit) => {
      const id = await kit.createOwnCalendar({ timeZone: 'Asia/Tokyo' })
      expectOk(await kit.get(`/calendars/${id}`), { timeZone: 'Asia/Tokyo' })
      expectOk(await kit.patch(`/calendars/${id}`, { timeZone: 'Asia/Kolkata' }), { timeZone: 'Asia/Kolkata' })
      expectOk(await kit.get(`/calendars/${id}/events`), { timeZone: 'Asia/Kolkata' })
    }),
  ],
}
