import { expectError, expectOk, expectShape, expectStatus, expectTrue } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { absent, contains, empty, exactKeys, keysInOrder } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

const QUIET = { query: { sendUpdates: 'none' } }
const ZOE = 'zoe@example.com'
const ADAM = 'adam@example.com'

/** Creates an event with two guests, or those of `body`, without mail. Returns its path. */
async function createGuestMeeting(kit: Kit, body: object = {}): Promise<string> {
  const { id } = await kit.createEvent({ attendees: [{ email: ZOE }, { email: ADAM }], ...body }, QUIET)
  return `${await kit.eventsPath()}/${id}`
}

const GADGET = { type: 'application/x-google-gadgets+xml', display: 'chip', width: 20, height: 10, title: 'A' }

export const fields: ScenarioGroup = {
  name: 'fields',
  scenarios: [
    scenario('read-only fields of a body are ignored', '1.9.1', async (kit) => {
      const body = { ...kit.hour(9), endTimeUnspecified: true, attendees: [{ email: ZOE, id: '123' }] }
      const made = await kit.post(await kit.eventsPath(), body, QUIET)
      expectOk(made, { endTimeUnspecified: absent, attendees: [{ email: ZOE, id: absent }] })
    }),
    scenario('maxAttendees=1 returns only the caller’s entry', '1.19', async (kit) => {
      const me = await kit.ownerEmail()
      const path = await createGuestMeeting(kit, { attendees: [{ email: ZOE }, { email: me }, { email: ADAM }] })
      const answer = await kit.get(path, { maxAttendees: 1 })
      expectOk(answer, { attendeesOmitted: true })
      expectTrue(!answer.text.includes(ZOE) && !answer.text.includes(ADAM), 'maxAttendees=1 shows other guests')
      expectOk(await kit.get(path, { maxAttendees: 3 }), {
        attendeesOmitted: absent,
        attendees: contains({ email: ZOE }),
      })
    }),
    scenario('a list accepts maxAttendees', '1.19', async (kit) => {
      await createGuestMeeting(kit)
      const answer = await kit.get(await kit.eventsPath(), { ...kit.week(), maxAttendees: 1 })
      expectOk(answer, { items: [{ attendeesOmitted: true }] })
    }),
    scenario('an unknown sendUpdates is rejected', '1.21, 1.13', async (kit) => {
      const path = await kit.eventsPath()
      for (const sendUpdates of ['all', 'externalOnly', 'none'])
        expectOk(await kit.post(path, kit.hour(9), { query: { sendUpdates } }))
      expectStatus(await kit.post(path, kit.hour(9), { query: { sendUpdates: 'some' } }), 400)
    }),
    scenario('PUT of an unchanged cancelled event changes nothing', '2.3.1', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'Gone' })
      const path = `${await kit.eventsPath()}/${id}`
      await kit.require(kit.delete(path))
      const read = expectOk(await kit.get(path))
      expectOk(await kit.put(path, read), { status: 'cancelled', etag: read.etag, updated: read.updated })
    }),
    scenario('a gadget is stored', '3.2.14', async (kit) => {
      const gadget = { ...GADGET, link: 'https://example.com/a.xml', iconLink: 'https://example.com/a.png' }
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), gadget }), { gadget })
    }),
    ...errorScenarios([
      [
        'a gadget with the width 0 is rejected',
        '3.2.14',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), gadget: { ...GADGET, width: 0, link: 'https://example.com/a.xml' } } }),
        { status: 400 },
      ],
      [
        'a gadget whose link is not https is rejected',
        '3.2.14',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), gadget: { ...GADGET, link: 'http://example.com/a.xml' } } }),
        { status: 400 },
      ],
      [
        'a source whose url is not http or https is rejected',
        '7.14',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), source: { url: 'ftp://example.com/', title: 'A' } } }),
        { status: 400 },
      ],
      [
        'an import with an invalid address of its organizer is rejected',
        '7.8.1',
        'POST',
        'import',
        async (kit) => ({
          body: { ...kit.hour(9), iCalUID: `${await kit.unusedId()}@example.com`, organizer: { email: 'nobody' } },
        }),
        { status: 400 },
      ],
      [
        'more than 200 guests are rejected',
        '12.5, 7.20',
        'POST',
        '',
        (kit) => ({
          body: {
            ...kit.hour(9),
            attendees: Array.from({ length: 2000 }, (_, at) => ({ email: `g${at}@example.com` })),
          },
          ...QUIET,
        }),
        { status: 400 },
      ],
      [
        'working hours of a secondary calendar are rejected',
        '15.19',
        'PATCH',
        async (kit) => `/calendars/${await kit.calendarId()}`,
        () => ({ body: { workingHours: { workingHoursEnabled: true, availableTimes: [] } } }),
        { status: 400 },
      ],
    ]),
    scenario('the creator sees the source of an event', '7.14', async (kit) => {
      const source = { url: 'https://example.com/a', title: 'A' }
      const { id } = await kit.createEvent({ source })
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`), { source })
    }),
    scenario('the field locked of a body is ignored', '7.13', async (kit) => {
      const made = await kit.createEvent({ locked: true })
      expectOk(await kit.patch(`${await kit.eventsPath()}/${made.id}`, { locked: true }), { locked: absent })
    }),
    scenario('guests without a responseStatus in a PATCH get needsAction', '7.10', async (kit) => {
      const path = await createGuestMeeting(kit, { attendees: [{ email: ZOE, responseStatus: 'accepted' }] })
      expectOk(await kit.patch(path, { attendees: [{ email: ZOE }] }, QUIET), {
        attendees: [{ email: ZOE, responseStatus: 'needsAction' }],
      })
    }),
    scenario('guests with a responseStatus in a PATCH keep it', '7.10, 7.2', async (kit) => {
      const attendees = [{ email: ZOE, responseStatus: 'accepted' }]
      const path = await createGuestMeeting(kit, { attendees })
      expectOk(await kit.patch(path, { attendees, summary: 'Other' }, QUIET), { attendees })
    }),
    scenario('PATCH of a list replaces the list', '3.9.2', async (kit) => {
      const path = await createGuestMeeting(kit)
      expectOk(await kit.patch(path, { attendees: [{ email: ADAM }] }, QUIET), { attendees: [{ email: ADAM }] })
      const overrides = [{ method: 'popup', minutes: 5 }]
      await kit.require(
        kit.patch(path, { reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 9 }] } }),
      )
      const { reminders } = expectOk(await kit.patch(path, { reminders: { useDefault: false, overrides } }))
      expectTrue(
        JSON.stringify(reminders) === JSON.stringify({ useDefault: false, overrides }),
        `reminders are ${JSON.stringify(reminders)}`,
      )
    }),
    scenario('a PATCH of attachments replaces them', '3.9.2, 8.16', async (kit) => {
      const query = { supportsAttachments: true }
      const [first, second] = ['a', 'b'].map((name) => ({ fileUrl: `https://example.com/${name}.pdf`, title: name }))
      const { id } = await kit.createEvent({ attachments: [first] }, { query })
      const path = `${await kit.eventsPath()}/${id}`
      expectOk(await kit.patch(path, { attachments: [second] }, { query }), { attachments: [second] })
    }),
    scenario('PATCH of recurrence replaces all lines', '3.9.2, 4.2.2', async (kit) => {
      const { id } = await kit.createEvent({
        recurrence: ['RRULE:FREQ=DAILY;COUNT=3', `EXDATE:${kit.instant(9, 1).replace(/[-:]/g, '')}`],
      })
      const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
      expectOk(await kit.patch(`${await kit.eventsPath()}/${id}`, { recurrence }), { recurrence })
    }),
    scenario('sequence and minutes are JSON numbers', '11.15', async (kit) => {
      const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] }
      const { sequence } = expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), reminders }), {
        reminders,
      })
      expectTrue(typeof sequence === 'number', `sequence is ${JSON.stringify(sequence)}`)
    }),
    scenario('200 guests are accepted', '7.20, 12.5', async (kit) => {
      const attendees = Array.from({ length: 200 }, (_, at) => ({ email: `guest${at}@example.com` }))
      const made = expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), attendees }, QUIET))
      expectTrue((made.attendees as unknown[]).length === 200, 'the response does not list all 200 guests')
    }),
    scenario('PUT of a list entry keeps its notifications', '3.5.7', async (kit) => {
      const entry = `/users/me/calendarList/${await kit.calendarId()}`
      const notificationSettings = { notifications: [{ type: 'eventCreation', method: 'email' }] }
      await kit.require(kit.patch(entry, { notificationSettings }))
      expectOk(await kit.put(entry, { selected: true }), { notificationSettings })
      await kit.require(kit.patch(entry, { notificationSettings: { notifications: [] } }))
    }),
    scenario('the owner’s rule of a primary calendar has an etag of zeros', '15.6, 3.10', async (kit) => {
      const me = await kit.ownerEmail()
      expectOk(await kit.get(`/calendars/primary/acl/user:${me}`), { role: 'owner', etag: '"00000000000000000000"' })
    }),
    scenario('transferOwnership without newDataOwner is rejected', '15.8, 1.24', async (kit) => {
      const path = `/calendars/${await kit.calendarId()}/transferOwnership`
      expectError(await kit.post(path, undefined, { query: { useAdminAccess: true } }), {
        ...{ status: 400, reason: 'required', location: 'newDataOwner' },
      })
    }),
    scenario('a holiday calendar on the list has the role reader and no reminders', '15.15, 15.15.1', async (kit) => {
      const id = 'en.new_zealand#holiday@group.v.calendar.google.com'
      const path = `/users/me/calendarList/${encodeURIComponent(id)}`
      const isThere = (await kit.get(path)).status === 200
      if (!isThere) kit.onCleanUp(() => kit.delete(path))
      expectOk(await kit.post('/users/me/calendarList', { id }), { id, accessRole: 'reader', defaultReminders: empty })
      expectOk(await kit.get(path), { accessRole: 'reader', primary: absent })
    }),
    scenario('a write without a user is 401', '1.1, 2.2.10', async (kit) => {
      const answer = await kit.post(await kit.eventsPath(), kit.hour(9), { as: 'nobody' })
      expectError(answer, { status: 401, reason: 'required' })
    }),
    scenario('a token in the parameter access_token is accepted', '11.12', async (kit) => {
      const query = { ...kit.week(), access_token: kit.target.tokens.owner }
      expectOk(await kit.get(await kit.eventsPath(), query, { as: 'nobody' }), { kind: 'calendar#events' })
    }),
    scenario('microseconds of timeMin and timeMax are truncated to milliseconds', '1.14.1', async (kit) => {
      const timeMin = `${kit.day()}T09:00:50.743598Z`
      expectOk(await kit.post('/freeBusy', { timeMin, timeMax: kit.instant(11), items: [] }), {
        timeMin: `${kit.day()}T09:00:50.743Z`,
      })
    }),
    scenario('a busy time of freeBusy has only start and end', '10.13', async (kit) => {
      const id = await kit.calendarId()
      await kit.createEvent({ summary: 'Secret' })
      const answer = await kit.post('/freeBusy', { ...kit.week(), items: [{ id }] })
      expectOk(answer, { calendars: { [id]: { busy: [exactKeys('start', 'end')] } } })
    }),
    scenario('conferenceData of another event gives the same conference', '9.11, 9.15', async (kit) => {
      const createRequest = { requestId: await kit.unusedId(), conferenceSolutionKey: { type: 'hangoutsMeet' } }
      const version = { query: { conferenceDataVersion: 1 } }
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ conferenceData: { createRequest } }, version)
      const { hangoutLink, conferenceData } = expectOk(await kit.get(`${path}/${id}`), { hangoutLink: /^https:/ })
      const copy = await kit.post(path, { ...kit.hour(11), conferenceData }, version)
      expectOk(copy, {
        hangoutLink,
        conferenceData: { conferenceId: (conferenceData as { conferenceId: string }).conferenceId },
      })
    }),
    scenario('an event has the label of its colour', '3.2.18', async (kit) => {
      const calendar = `/calendars/${encodeURIComponent(await kit.calendarId())}`
      const eventLabels = [{ name: 'Graphite', backgroundColor: '#616161' }]
      const { labelProperties } = expectOk(await kit.patch(calendar, { labelProperties: { eventLabels } })) as {
        labelProperties?: { eventLabels?: { id?: string; backgroundColor?: string }[] }
      }
      const label = labelProperties?.eventLabels?.find(({ backgroundColor }) => backgroundColor === '#616161')
      const { id } = await kit.createEvent({ colorId: '8' })
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`), { colorId: '8', eventLabelId: label?.id })
    }),
    scenario('the entry points of a conference are in the order video, more, phone', '9.5, 9.16, 9.9', async (kit) => {
      const createRequest = { requestId: await kit.unusedId('p'), conferenceSolutionKey: { type: 'hangoutsMeet' } }
      const { id } = await kit.createEvent(
        { conferenceData: { createRequest } },
        { query: { conferenceDataVersion: 1 } },
      )
      const answer = await kit.get(`${await kit.eventsPath()}/${id}`)
      const { conferenceData } = expectOk(answer)
      const { entryPoints } = conferenceData as unknown as { entryPoints: { entryPointType: string; uri: string }[] }
      const order = ['video', 'more', 'phone']
      const types = entryPoints.map(({ entryPointType }) => entryPointType)
      expectTrue(
        types[0] === 'video' && types.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)).join() === types.join(),
        `the ways in are ${types}`,
      )
      for (const point of entryPoints) {
        expectShape(
          answer,
          point,
          keysInOrder(
            'regionCode',
            'entryPointType',
            'uri',
            'label',
            'pin',
            'accessCode',
            'meetingCode',
            'passcode',
            'password',
          ),
        )
        expectTrue(
          point.uri.startsWith(point.entryPointType === 'phone' ? 'tel:' : 'https:'),
          `${point.entryPointType}: ${point.uri}`,
        )
      }
    }),
    scenario('notes of a conference that are too long are rejected', '9.17', async (kit) => {
      const conferenceData = {
        conferenceSolution: { key: { type: 'addOn' }, name: 'Other' },
        entryPoints: [{ entryPointType: 'video', uri: `https://example.com/${'x'.repeat(1400)}` }],
      }
      const answer = await kit.post(
        await kit.eventsPath(),
        { ...kit.hour(9), conferenceData },
        { query: { conferenceDataVersion: 1 } },
      )
      expectStatus(answer, 400)
    }),
  ],
}
