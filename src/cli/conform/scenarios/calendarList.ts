import { expectError, expectOk, expectStatus, expectTrue } from '../expect.ts'
import { SUMMARY } from '../kit.ts'
import { absent, contains, empty, everyItem, keysInOrder, text } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

const LIST = '/users/me/calendarList'
const ORDER = keysInOrder(
  ...[
    'kind',
    'etag',
    'id',
    'summary',
    'description',
    'location',
    'timeZone',
    'dataOwner',
    'summaryOverride',
    'colorId',
  ],
  ...['backgroundColor', 'foregroundColor', 'hidden', 'selected', 'accessRole', 'defaultReminders'],
  ...['notificationSettings', 'primary', 'deleted', 'conferenceProperties', 'autoAcceptInvitations'],
)

export const calendarList: ScenarioGroup = {
  name: 'calendarList',
  scenarios: [
    scenario('a list entry has its keys in order and the colours of its colorId', '3.5.1, 3.5.3', async (kit) => {
      const entry = await kit.get(`${LIST}/${await kit.calendarId()}`)
      expectOk(entry, ORDER)
      expectOk(entry, { kind: 'calendar#calendarListEntry', colorId: /^\d+$/, foregroundColor: '#000000' })
      const { calendar } = expectOk(await kit.get('/colors')) as unknown as Palette
      expectOk(entry, { backgroundColor: calendar[String(entry.body.colorId)]?.background })
    }),
    scenario('the caller’s primary calendar is on the list and marked as primary', '3.5.1, 15.3', async (kit) => {
      const me = await kit.ownerEmail()
      expectOk(await kit.get(`${LIST}/primary`), { id: me, primary: true, accessRole: 'owner' })
      const { items, last } = await kit.listAll(LIST)
      expectTrue(items.filter((item) => item.primary === true).length === 1, 'not one entry of the list is primary')
      expectTrue(last.kind === 'calendar#calendarList', `the list is of the kind ${last.kind}`)
    }),
    scenario('a write to a list entry does not change its calendar', '3.5.5, 3.9.2', async (kit) => {
      const id = await kit.calendarId()
      const reminders = [{ method: 'popup', minutes: 5 }]
      const changed = { summaryOverride: 'Mine', defaultReminders: reminders, summary: SUMMARY }
      expectOk(await kit.patch(`${LIST}/${id}`, { summaryOverride: 'Mine', defaultReminders: reminders }), changed)
      expectOk(await kit.get(`/calendars/${id}`), { summary: SUMMARY, summaryOverride: absent })
    }),
    scenario('a PATCH of an entry’s reminders replaces them', '3.9.2', async (kit) => {
      const path = `${LIST}/${await kit.calendarId()}`
      const [first, second] = [5, 9].map((minutes) => ({ method: 'popup', minutes }))
      await kit.require(kit.patch(path, { defaultReminders: [first] }))
      expectOk(await kit.patch(path, { defaultReminders: [second] }), { defaultReminders: [second] })
    }),
    scenario('PUT of a list entry clears reminders and keeps the colour', '3.5.5', async (kit) => {
      const id = await kit.calendarId()
      await kit.require(
        kit.patch(`${LIST}/${id}`, { colorId: '7', defaultReminders: [{ method: 'popup', minutes: 5 }] }),
      )
      expectOk(await kit.put(`${LIST}/${id}`, { selected: true }), {
        colorId: '7',
        defaultReminders: empty,
        selected: true,
      })
    }),
    scenario('colours by value are stored only with colorRgbFormat', '3.5.3, 1.22', async (kit) => {
      const id = await kit.calendarId()
      const colours = { backgroundColor: '#16a764', foregroundColor: '#ffffff' }
      const { backgroundColor } = await kit.require(kit.get(`${LIST}/${id}`))
      expectOk(await kit.patch(`${LIST}/${id}`, colours), { backgroundColor })
      expectOk(await kit.patch(`${LIST}/${id}`, colours, { query: { colorRgbFormat: true } }), {
        backgroundColor: '#16a764',
        colorId: '8',
      })
    }),
    scenario(
      'a hidden list entry is not selected, and is listed only with showHidden=true',
      '3.5.1, 1.23',
      async (kit) => {
        const id = await kit.calendarId()
        kit.onCleanUp(() => kit.patch(`${LIST}/${id}`, { hidden: false }))
        expectOk(await kit.patch(`${LIST}/${id}`, { hidden: true }), { hidden: true, selected: absent })
        const { items } = await kit.listAll(LIST)
        expectTrue(!items.some((item) => item.id === id), 'a hidden entry is on the plain list')
        const { items: all } = await kit.listAll(LIST, { showHidden: true })
        expectTrue(
          all.some((item) => item.id === id),
          'a hidden entry is not on the list with showHidden=true',
        )
      },
    ),
    scenario('minAccessRole omits calendars with a lower role', '1.23', async (kit) => {
      const { items } = await kit.listAll(LIST, { minAccessRole: 'owner' })
      const answer = await kit.get(LIST, { minAccessRole: 'owner' })
      expectOk(answer, { items: everyItem({ accessRole: 'owner' }) })
      expectTrue(items.length > 0, 'nobody owns a calendar')
    }),
    scenario('an insert of a calendar that is on the list already succeeds', '3.5.4', async (kit) => {
      const id = await kit.calendarId()
      expectOk(await kit.post(LIST, { id, colorId: '4' }), { id, colorId: '4', accessRole: 'owner' })
    }),
    scenario('a delta of the calendar list contains changed and deleted entries', '5.17, 5.6', async (kit) => {
      const id = await kit.calendarId()
      const other = await kit.createOwnCalendar()
      const { last } = await kit.listAll(LIST)
      expectOk({ ...(await kit.get(LIST)), body: last }, { nextSyncToken: text, nextPageToken: absent })
      await kit.require(kit.patch(`${LIST}/${id}`, { colorId: '5' }))
      await kit.require(kit.delete(`/calendars/${other}`))
      const delta = await kit.get(LIST, { syncToken: last.nextSyncToken })
      expectOk(delta, { items: contains({ id, colorId: '5' }, { id: other, deleted: true }), nextSyncToken: text })
    }),
    scenario('a calendar cannot be removed from the list of its data owner', '15.11, 2.2.8', async (kit) => {
      const id = await kit.calendarId()
      expectError(await kit.delete(`${LIST}/${id}`), { status: 403, reason: 'cannotUnsubscribeFromOwnedCalendar' })
    }),
    scenario(
      'a list entry has its etag as a header, and a calendar list has no such header',
      '11.5, 3.10',
      async (kit) => {
        const entry = await kit.get(`${LIST}/${await kit.calendarId()}`)
        expectTrue(
          entry.headers.get('ETag') === expectOk(entry, { etag: /^"\d{16}"$/ }).etag,
          'the header ETag is not the body’s',
        )
        expectTrue((await kit.get(LIST)).headers.get('ETag') === null, 'a list has a header ETag')
      },
    ),
    scenario(
      'PUT of a list entry with the id primary is rejected',
      '1.6, 2.2.4',
      async (kit) => {
        const entry = await kit.require(kit.get(`${LIST}/primary`))
        expectError(await kit.put(`${LIST}/primary`, entry), {
          status: 400,
          reason: 'invalid',
          message: 'Invalid resource id value.',
        })
      },
      'primary',
    ),
    scenario(
      'the caller’s primary calendar cannot be removed from the list',
      '15.11, 2.2.8',
      async (kit) => {
        const answer = await kit.delete(`${LIST}/primary`)
        expectStatus(answer, 403, { error: { errors: [{ reason: 'cannotChangeOwnPrimarySubscription' }] } })
      },
      'primary',
    ),
    ...errorScenarios([
      [
        'an insert of a calendar that does not exist into the list is rejected',
        '3.5.4',
        'POST',
        LIST,
        () => ({ body: { id: 'fake-calendar-nobody@group.calendar.google.com' } }),
        { status: 404, reason: 'notFound' },
      ],
      [
        'an unknown enumeration value is an error that lists the allowed values',
        '1.13, 2.2.1',
        'GET',
        LIST,
        () => ({ query: { minAccessRole: 'boss' } }),
        {
          status: 400,
          reason: 'invalidParameter',
          location: 'minAccessRole',
          message: /^Invalid string value: 'boss'/,
        },
      ],
    ]),
  ],
}

type Palette = { calendar: Readonly<Record<string, { background: string }>> }
