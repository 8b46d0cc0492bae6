import { expectError, expectOk, expectShape, expectStatus, expectTrue } from '../expect.ts'
import { absent, contains, keysInOrder } from '../matchers.ts'
import { type ScenarioGroup, scenario } from '../scenario.ts'
import { createMeeting, GUEST, guestScenario, QUIET } from './meeting.ts'

export const guests: ScenarioGroup = {
  name: 'guests',
  scenarios: [
    scenario('a guest without a response has the responseStatus needsAction', '3.2.9, 7.11', async (kit) => {
      const attendees = [
        { email: 'zoe@example.com', organizer: true },
        { email: 'adam@example.com', optional: true },
      ]
      const made = await kit.post(await kit.eventsPath(), { ...kit.hour(9), attendees }, QUIET)
      expectOk(made, {
        attendees: [
          {
            email: 'zoe@example.com',
            responseStatus: 'needsAction',
            organizer: absent,
            self: absent,
            optional: absent,
          },
          { email: 'adam@example.com', responseStatus: 'needsAction', optional: true },
        ],
      })
      const names = ['id', 'email', 'displayName', 'organizer', 'self', 'resource', 'optional', 'responseStatus']
      expectShape(made, (made.body.attendees as unknown[])[0], keysInOrder(...names, 'comment', 'additionalGuests'))
    }),
    scenario('two guests with one address are merged', '7.11', async (kit) => {
      const attendees = [{ email: 'zoe@example.com' }, { email: 'Zoe@Example.com' }]
      const made = expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), attendees }, QUIET))
      expectTrue(
        (made.attendees as unknown[]).length === 1,
        `two entries for an address are ${JSON.stringify(made.attendees)}`,
      )
    }),
    scenario('a guest response in an insert is stored', '7.2', async (kit) => {
      const attendees = [{ email: 'zoe@example.com', responseStatus: 'accepted' }]
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), attendees }, QUIET), { attendees })
    }),
    scenario('guests without a dot in their address are accepted', '7.11.1', async (kit) => {
      const attendees = [{ email: 'missing@domain' }]
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), attendees }, QUIET), { attendees })
    }),
    guestScenario('a guest has a copy of the event with the same id', '7.1', async (kit) => {
      const { id, email, mine, theirs } = await createMeeting(kit)
      const copy = await kit.get(theirs, {}, GUEST)
      const { iCalUID } = await kit.require(kit.get(mine))
      expectOk(copy, {
        id,
        iCalUID,
        summary: 'Meeting',
        organizer: { self: absent },
        attendees: contains({ email, self: true }),
      })
    }),
    guestScenario('a guest’s response is stored in the organizer’s event', '7.2, 7.3', async (kit) => {
      const { email, mine, theirs } = await createMeeting(kit)
      const answer = { attendees: [{ email, responseStatus: 'accepted', comment: 'Yes' }] }
      expectOk(await kit.patch(theirs, answer, { ...QUIET, ...GUEST }))
      expectOk(await kit.get(mine), { attendees: contains({ email, responseStatus: 'accepted', comment: 'Yes' }) })
    }),
    guestScenario('a new time resets the responses of guests', '7.2', async (kit) => {
      const { email, mine, theirs } = await createMeeting(kit)
      await kit.require(
        kit.patch(theirs, { attendees: [{ email, responseStatus: 'accepted' }] }, { ...QUIET, ...GUEST }),
      )
      await kit.require(kit.patch(mine, kit.hour(14), QUIET))
      expectOk(await kit.get(mine), { attendees: contains({ email, responseStatus: 'needsAction' }) })
    }),
    guestScenario('a change by the organizer is stored in the guest’s copy', '7.1', async (kit) => {
      const { mine, theirs } = await createMeeting(kit)
      await kit.require(kit.patch(mine, { summary: 'Renamed', location: 'There' }, QUIET))
      expectOk(await kit.get(theirs, {}, GUEST), { summary: 'Renamed', location: 'There' })
    }),
    guestScenario('a guest’s change is stored in the guest’s copy only', '7.3', async (kit) => {
      const { mine, theirs } = await createMeeting(kit)
      expectOk(await kit.patch(theirs, { summary: 'Mine', colorId: '5' }, { ...QUIET, ...GUEST }), {
        summary: 'Mine',
        colorId: '5',
      })
      expectOk(await kit.get(mine), { summary: 'Meeting', colorId: absent })
    }),
    guestScenario('with guestsCanModify, a guest’s change is stored in all copies', '7.3', async (kit) => {
      const { mine, theirs } = await createMeeting(kit, { guestsCanModify: true })
      await kit.require(kit.patch(theirs, { summary: 'Ours' }, { ...QUIET, ...GUEST }))
      expectOk(await kit.get(mine), { summary: 'Ours' })
    }),
    guestScenario('only the organizer changes the permissions of guests', '7.3, 2.2.6', async (kit) => {
      const { theirs } = await createMeeting(kit)
      expectError(await kit.patch(theirs, { guestsCanModify: true }, { ...QUIET, ...GUEST }), {
        ...{ status: 403, domain: 'calendar', reason: 'forbiddenForNonOrganizer' },
        message: 'Shared properties can only be changed by the organizer of the event.',
      })
    }),
    guestScenario('a guest who deletes the copy has declined', '7.4', async (kit) => {
      const { email, mine, theirs } = await createMeeting(kit)
      expectStatus(await kit.delete(theirs, { ...QUIET, ...GUEST }), 204)
      expectOk(await kit.get(mine), { status: 'confirmed', attendees: contains({ email, responseStatus: 'declined' }) })
    }),
    guestScenario('a removed guest loses the copy', '7.1, 5.12', async (kit) => {
      const { mine, theirs } = await createMeeting(kit)
      expectOk(await kit.patch(mine, { attendees: [] }, QUIET), { attendees: absent })
      expectOk(await kit.get(theirs, {}, GUEST), { status: 'cancelled' })
    }),
    guestScenario('a deletion by the organizer cancels the guest’s copy', '7.4', async (kit) => {
      const { mine, theirs } = await createMeeting(kit)
      expectStatus(await kit.delete(mine, QUIET), 204)
      expectOk(await kit.get(theirs, {}, GUEST), { status: 'cancelled' })
    }),
    guestScenario('without guestsCanSeeOtherGuests, a guest sees the organizer and itself', '7.18', async (kit) => {
      const email = await kit.guestEmail()
      const attendees = [{ email }, { email: 'zoe@example.com' }]
      const { mine, theirs } = await createMeeting(kit, { guestsCanSeeOtherGuests: false, attendees })
      const { attendees: seen } = expectOk(await kit.get(theirs, {}, GUEST), { attendeesOmitted: true })
      expectTrue(!JSON.stringify(seen).includes('zoe@'), `the guest sees ${JSON.stringify(seen)}`)
      expectOk(await kit.get(mine), {
        attendees: contains({ email }, { email: 'zoe@example.com' }),
        attendeesOmitted: absent,
      })
    }),
    guestScenario('a guest does not see the source of an event', '7.14', async (kit) => {
      const { theirs } = await createMeeting(kit, { source: { url: 'https://example.com/', title: 'A' } })
      expectOk(await kit.get(theirs, {}, GUEST), { source: absent })
    }),
    guestScenario('a guest cannot write the source of an event', '7.14.1', async (kit) => {
      const { theirs } = await createMeeting(kit, {
        guestsCanModify: true,
        source: { url: 'https://example.com/', title: 'A' },
      })
      const source = { url: 'https://example.com/b', title: 'B' }
      expectError(await kit.patch(theirs, { source }, { ...QUIET, ...GUEST }), {
        ...{ status: 403, domain: 'calendar', reason: 'forbiddenForNonCreator' },
      })
    }),
    guestScenario('attendeesOmitted with the caller’s entry changes only that response', '7.19', async (kit) => {
      const email = await kit.guestEmail()
      const attendees = [{ email }, { email: 'zoe@example.com', responseStatus: 'accepted' }]
      const { mine, theirs } = await createMeeting(kit, { attendees })
      const body = { attendeesOmitted: true, attendees: [{ email, responseStatus: 'tentative' }] }
      expectOk(await kit.patch(theirs, body, { ...QUIET, ...GUEST }))
      const expected = [
        { email, responseStatus: 'tentative' },
        { email: 'zoe@example.com', responseStatus: 'accepted' },
      ]
      expectOk(await kit.get(mine), { attendees: contains(...expected) })
    }),
    guestScenario('a removed guest has a cancelled copy without details', '7.16', async (kit) => {
      const { mine, theirs } = await createMeeting(kit, { location: 'Here' })
      await kit.require(kit.patch(mine, { attendees: [] }, QUIET))
      expectOk(await kit.get(theirs, {}, GUEST), {
        status: 'cancelled',
        summary: absent,
        location: absent,
        attendees: absent,
      })
    }),
    guestScenario('a guest has one copy of an invitation', '7.1, 3.2.4', async (kit) => {
      const { iCalUID } = await kit.require(kit.get((await createMeeting(kit)).mine))
      const { items } = await kit.listAll('/calendars/primary/events', { iCalUID }, GUEST)
      expectTrue(items.length === 1, `the guest has ${items.length} events of the meeting`)
    }),
    guestScenario('each account has its own reminders of an event', '7.12, 7.1', async (kit) => {
      const { mine, theirs } = await createMeeting(kit)
      const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 7 }] }
      await kit.require(kit.patch(theirs, { reminders }, { ...QUIET, ...GUEST }))
      expectOk(await kit.get(mine), { reminders: { useDefault: true } })
    }),
  ],
}
