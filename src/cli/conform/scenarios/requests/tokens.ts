import { expectError, expectOk, expectShape, expectTrue, listErrorItems } from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { absent, contains } from '../../matchers.ts'
import { type ErrorRow, errorScenarios, type ScenarioGroup, scenario } from '../../scenario.ts'

const LIST = '/users/me/calendarList'
const SETTINGS = '/users/me/settings'
/** Returns a function that returns the path of a list: of `acl` for the shared calendar, else the name itself. */
const toListPath = (name: string) => (kit: Kit) => (name === 'acl' ? kit.aclPath() : Promise.resolve(name))

/** Creates the row of a list that is rejected (400) for a parameter that is combined with its own sync token. */
const excludedParameterRow = (list: string, headings: string, query: Record<string, string | boolean>): ErrorRow => [
  `${Object.keys(query)[0]}=${Object.values(query)[0]} cannot be combined with a sync token of ${list}`,
  headings,
  'GET',
  list === 'events' ? (kit) => kit.eventsPath() : toListPath(list),
  async (kit) => {
    const path = list === 'events' ? await kit.eventsPath() : await toListPath(list)(kit)
    return { query: { ...query, syncToken: (await kit.listAll(path)).last.nextSyncToken } }
  },
  { status: 400 },
]

export const tokens: ScenarioGroup = {
  name: 'tokens',
  scenarios: [
    ...errorScenarios([
      excludedParameterRow('events', '5.8', { timeMax: '2031-01-01T00:00:00Z' }),
      excludedParameterRow('events', '5.8', { iCalUID: 'a@example.com' }),
      excludedParameterRow('events', '5.8', { privateExtendedProperty: 'a=1' }),
      excludedParameterRow('events', '5.8', { sharedExtendedProperty: 'a=1' }),
      excludedParameterRow(LIST, '5.17', { minAccessRole: 'owner' }),
      excludedParameterRow(LIST, '5.17', { showOwnOrganizationOnly: true }),
      excludedParameterRow(LIST, '5.17', { showDeleted: false }),
      excludedParameterRow(LIST, '5.17', { showHidden: false }),
      excludedParameterRow('acl', '5.18', { showDeleted: false }),
      ...[LIST, SETTINGS, 'acl'].flatMap((list): ErrorRow[] => [
        [
          `an invalid sync token of ${list} is 400`,
          '5.15',
          'GET',
          toListPath(list),
          () => ({ query: { syncToken: 'garbage' } }),
          { status: 400, reason: 'invalid', message: 'Invalid sync token value.' },
        ],
        [
          `an invalid page token of ${list} is 400`,
          '5.5',
          'GET',
          toListPath(list),
          () => ({ query: { pageToken: 'garbage' } }),
          { status: 400, reason: 'invalid', location: 'pageToken' },
        ],
      ]),
    ]),
    scenario('orderBy with a sync token is syncTokenWithNonDefaultOrdering', '5.8, 2.2.5', async (kit) => {
      const { nextSyncToken } = (await kit.listAll(await kit.eventsPath())).last
      const answer = await kit.get(await kit.eventsPath(), { syncToken: nextSyncToken, orderBy: 'updated' })
      expectError(answer, {
        status: 400,
        reason: 'syncTokenWithNonDefaultOrdering',
        message: 'Sync token cannot be used with non-default ordering.',
      })
    }),
    scenario('the error of an updatedMin too far in the past names the parameter', '5.16, 2.2.5', async (kit) => {
      const answer = await kit.get(await kit.eventsPath(), { updatedMin: '2001-01-01T00:00:00Z' })
      expectShape(answer, listErrorItems(answer), [
        {
          message: 'The requested minimum modification time lies too far in the past.',
          locationType: 'parameter',
          location: 'updatedMin',
        },
      ])
    }),
    ...['q', 'iCalUID', 'privateExtendedProperty', 'sharedExtendedProperty'].map((name) =>
      scenario(`a list with ${name} has no sync token`, '5.6', async (kit) => {
        const { last } = await kit.listAll(await kit.eventsPath(), { [name]: 'a=1' })
        expectTrue(last.nextSyncToken === undefined, `a list with ${name} has a sync token`)
      }),
    ),
    scenario('a delta of the calendar list contains hidden entries', '5.17', async (kit) => {
      const id = await kit.createOwnCalendar()
      const { last } = await kit.listAll(LIST)
      await kit.require(kit.patch(`${LIST}/${id}`, { hidden: true }))
      expectOk(await kit.get(LIST, { syncToken: last.nextSyncToken }), { items: contains({ id, hidden: true }) })
    }),
    scenario('a delta of the calendar list omits a changed description of a calendar', '5.17', async (kit) => {
      const id = await kit.createOwnCalendar()
      const { last } = await kit.listAll(LIST)
      await kit.require(kit.patch(`/calendars/${id}`, { description: 'New' }))
      const { items } = expectOk(await kit.get(LIST, { syncToken: last.nextSyncToken }))
      expectTrue(!items.some((item) => item.id === id), 'a changed description is in the delta')
    }),
    scenario('the sync token of rules and of settings has 20 digits', '5.7', async (kit) => {
      for (const path of [await kit.aclPath(), SETTINGS]) expectOk(await kit.get(path), { nextSyncToken: /^\d{20}$/ })
    }),
    scenario('the sync token of events is base64 that ends in =', '5.7', async (kit) => {
      expectOk(await kit.get(await kit.eventsPath(), kit.week()), { nextSyncToken: /^[\w+/-]+=+$/ })
    }),
    scenario('a delta that starts with singleEvents=true returns changed instances', '5.11', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const { last } = await kit.listAll(path, { singleEvents: true })
      await kit.require(kit.patch(`${path}/${id}`, { summary: 'New' }))
      const { items } = expectOk(await kit.get(path, { singleEvents: true, syncToken: last.nextSyncToken }))
      expectTrue(
        items.length === 2 && items.every((one) => one.recurringEventId === id && one.summary === 'New'),
        `the delta of a changed series of two has ${items.length} items`,
      )
    }),
    scenario('a change of reminders changes the etag, and not updated', '5.1', async (kit) => {
      const { id, etag, updated } = await kit.createEvent({ summary: 'Reminded' })
      const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 3 }] }
      const after = expectOk(await kit.patch(`${await kit.eventsPath()}/${id}`, { reminders }), { reminders, updated })
      expectTrue(after.etag !== etag, 'the etag is as it was')
    }),
    scenario(
      'the delta of a guest’s calendar shows that an invitation is cancelled',
      '5.12',
      async (kit) => {
        const email = await kit.guestEmail()
        const silent = { query: { sendUpdates: 'none' } }
        const { id } = await kit.createEvent({ attendees: [{ email }] }, silent)
        const mine = '/calendars/primary/events'
        kit.onCleanUp(() => kit.delete(`${mine}/${id}`, { as: 'guest' }))
        const { last } = await kit.listAll(mine, {}, { as: 'guest' })
        await kit.require(kit.patch(`${await kit.eventsPath()}/${id}`, { attendees: [] }, silent))
        const delta = await kit.get(mine, { syncToken: last.nextSyncToken }, { as: 'guest' })
        expectOk(delta, { items: contains({ id, status: 'cancelled', attendees: absent }) })
      },
      'guest',
    ),
  ],
}
