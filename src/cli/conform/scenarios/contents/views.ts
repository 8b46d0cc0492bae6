import { expectError, expectOk, expectTrue } from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { absent, contains, exactKeys } from '../../matchers.ts'
import { type ScenarioGroup, scenario } from '../../scenario.ts'
import { createMeeting, GUEST, guestScenario, QUIET } from '../meeting.ts'

/** Gives the second account a role for this scenario, and returns the path of the events. */
async function shareCalendar(kit: Kit, role: string): Promise<string> {
  const calendar = (await kit.eventsPath()).replace(/\/events$/, '')
  const scope = { type: 'user', value: await kit.guestEmail() }
  await kit.require(kit.post(`${calendar}/acl`, { role, scope }, { query: { sendNotifications: false } }))
  kit.onCleanUp(() => kit.delete(`${calendar}/acl/user:${scope.value}`))
  return `${calendar}/events`
}

export const views: ScenarioGroup = {
  name: 'views',
  scenarios: [
    guestScenario('a reader sees events, and private ones as busy', '7.6, 1.2, 3.3', async (kit) => {
      const path = await shareCalendar(kit, 'reader')
      const open = await kit.require(kit.post(path, { ...kit.hour(9), summary: 'Open', location: 'Here' }))
      const secret = await kit.require(kit.post(path, { ...kit.hour(11), summary: 'Secret', visibility: 'private' }))
      const list = await kit.get(path, kit.week(), GUEST)
      expectOk(list, {
        accessRole: 'reader',
        defaultReminders: [],
        items: contains({ id: open.id, summary: 'Open' }, { id: secret.id, summary: absent, creator: absent }),
      })
      expectOk(await kit.get(`${path}/${open.id}`, {}, GUEST), { summary: 'Open', location: 'Here' })
      expectOk(await kit.get(`${path}/${secret.id}`, {}, GUEST), { visibility: 'private', summary: absent })
    }),
    guestScenario('a writer sees private events and may write', '7.6, 1.2', async (kit) => {
      const path = await shareCalendar(kit, 'writer')
      const { id } = await kit.require(kit.post(path, { ...kit.hour(9), summary: 'Secret', visibility: 'private' }))
      expectOk(await kit.get(path, kit.week(), GUEST), { accessRole: 'writer', items: [{ id, summary: 'Secret' }] })
      expectOk(await kit.patch(`${path}/${id}`, { summary: 'Changed' }, { ...QUIET, ...GUEST }), { summary: 'Changed' })
    }),
    guestScenario('a writer may change neither the calendar nor its rules', '1.2, 2.2.8', async (kit) => {
      const path = await shareCalendar(kit, 'writer')
      const calendar = path.replace(/\/events$/, '')
      const expected = {
        ...{ status: 403, domain: 'calendar', reason: 'requiredAccessLevel' },
        message: 'You need to have owner access to this calendar.',
      }
      expectError(await kit.patch(calendar, { summary: 'Mine' }, GUEST), expected)
      const rule = { role: 'reader', scope: { type: 'default' } }
      expectError(await kit.post(`${calendar}/acl`, rule, GUEST), expected)
    }),
    guestScenario('a reader may not read the rules', '1.2', async (kit) => {
      const rules = (await shareCalendar(kit, 'reader')).replace(/events$/, 'acl')
      for (const path of [rules, `${rules}/default`]) expectError(await kit.get(path, {}, GUEST), { status: 403 })
    }),
    guestScenario('a freeBusyReader reads an event with these keys only', '7.6', async (kit) => {
      const path = await shareCalendar(kit, 'freeBusyReader')
      const { id } = await kit.require(kit.post(path, { ...kit.hour(9), summary: 'Secret', visibility: 'public' }))
      const block = await kit.get(`${path}/${id}`, {}, GUEST)
      const names = ['kind', 'etag', 'id', 'status', 'htmlLink', 'updated', 'start', 'end', 'visibility', 'iCalUID']
      expectOk(block, exactKeys(...names))
    }),
    guestScenario('freeBusy of a calendar without access has the error notFound', '10.6, 1.2', async (kit) => {
      const id = await kit.calendarId()
      const answer = await kit.post('/freeBusy', { ...kit.week(), items: [{ id }] }, GUEST)
      const errors = [{ domain: 'global', reason: 'notFound' }]
      expectOk(answer, { calendars: { [id]: { errors, busy: [] } } })
    }),
    guestScenario(
      'a guest’s copy has the shared extended properties, and its own private ones and colour',
      '7.1',
      async (kit) => {
        const extendedProperties = { private: { mine: '1' }, shared: { ours: '2' } }
        const { mine, theirs } = await createMeeting(kit, { extendedProperties, colorId: '5' })
        const copy = { extendedProperties: { private: absent, shared: { ours: '2' } }, colorId: absent }
        expectOk(await kit.get(theirs, {}, GUEST), copy)
        await kit.require(
          kit.patch(theirs, { extendedProperties: { shared: { theirs: '3' } } }, { ...QUIET, ...GUEST }),
        )
        expectOk(await kit.get(mine), { extendedProperties: { private: { mine: '1' }, shared: { theirs: '3' } } })
      },
    ),
    guestScenario(
      'the comment and additional guests of a response are stored in the organizer’s event',
      '7.2',
      async (kit) => {
        const { email, mine, theirs } = await createMeeting(kit)
        const answer = { email, responseStatus: 'tentative', comment: 'Maybe', additionalGuests: 2 }
        await kit.require(kit.patch(theirs, { attendees: [answer] }, { ...QUIET, ...GUEST }))
        expectOk(await kit.get(mine), { attendees: contains(answer) })
      },
    ),
    guestScenario('a guest who declined has free time', '10.9', async (kit) => {
      const { email, theirs } = await createMeeting(kit)
      const query = { timeMin: kit.instant(9), timeMax: kit.instant(10), items: [{ id: 'primary' }] }
      const busy = async () => {
        const { calendars } = expectOk(await kit.post('/freeBusy', query, GUEST)) as unknown as FreeBusy
        return calendars.primary?.busy.length
      }
      expectTrue((await busy()) === 1, 'an unanswered invitation is not busy')
      await kit.require(
        kit.patch(theirs, { attendees: [{ email, responseStatus: 'declined' }] }, { ...QUIET, ...GUEST }),
      )
      expectTrue((await busy()) === 0, 'a declined invitation is busy')
    }),
    guestScenario('a guest may invite others, and they are added to the organizer’s event', '7.3', async (kit) => {
      const { email, mine, theirs } = await createMeeting(kit)
      const attendees = [{ email, responseStatus: 'accepted' }, { email: 'zoe@example.com' }]
      await kit.require(kit.patch(theirs, { attendees }, { ...QUIET, ...GUEST }))
      expectOk(await kit.get(mine), { attendees: contains({ email: 'zoe@example.com' }) })
    }),
    scenario(
      'the caller’s entry among the guests has self',
      '3.2.9',
      async (kit) => {
        const email = await kit.ownerEmail()
        const body = {
          ...kit.hour(9),
          attendees: [{ email, responseStatus: 'accepted' }, { email: 'zoe@example.com' }],
        }
        const made = await kit.post('/calendars/primary/events', body, QUIET)
        kit.onCleanUp(() => kit.delete(`/calendars/primary/events/${made.body.id}`, QUIET))
        expectOk(made, {
          attendees: [
            { email, organizer: true, self: true, responseStatus: 'accepted' },
            { email: 'zoe@example.com', organizer: absent, self: absent },
          ],
        })
      },
      'primary',
    ),
    scenario('overlapping events are one busy time, also tentative ones', '10.9, 10.11', async (kit) => {
      const id = await kit.calendarId()
      const path = await kit.eventsPath()
      const half = { dateTime: `${kit.day()}T09:30:00Z`, timeZone: 'UTC' }
      await kit.require(kit.post(path, kit.hour(9)))
      await kit.require(kit.post(path, { start: half, end: kit.hour(10).end }))
      await kit.require(kit.post(path, { ...kit.hour(13), status: 'tentative' }))
      const busy = [
        { start: kit.instant(9), end: kit.instant(11) },
        { start: kit.instant(13), end: kit.instant(14) },
      ]
      expectOk(await kit.post('/freeBusy', { ...kit.week(), items: [{ id }] }), { calendars: { [id]: { busy } } })
    }),
    scenario(
      'calendars above calendarExpansionMax have the error tooManyCalendarsRequested',
      '10.6, 10.8',
      async (kit) => {
        const [one, two] = [await kit.calendarId(), await kit.secondCalendarId()]
        const errors = [{ domain: 'global', reason: 'tooManyCalendarsRequested' }]
        expectOk(
          await kit.post('/freeBusy', { ...kit.week(), calendarExpansionMax: 1, items: [{ id: one }, { id: two }] }),
          { calendars: { [one]: { errors: absent }, [two]: { errors } } },
        )
      },
    ),
    scenario('null for a limit of freeBusy is ignored', '10.1, 11.18', async (kit) => {
      const body = { ...kit.week(), groupExpansionMax: null, calendarExpansionMax: null, items: [] }
      expectOk(await kit.post('/freeBusy', body), { kind: 'calendar#freeBusy' })
    }),
    scenario('groupExpansionMax above 100 is rejected', '10.8', async (kit) => {
      const body = { ...kit.week(), items: [] }
      expectOk(await kit.post('/freeBusy', { ...body, groupExpansionMax: 100 }))
      expectError(await kit.post('/freeBusy', { ...body, groupExpansionMax: 101 }), { status: 400 })
    }),
  ],
}

type FreeBusy = { calendars: Record<string, { busy: unknown[] } | undefined> }
