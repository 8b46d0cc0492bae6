import { expectError, expectOk, expectShape, expectStatus, expectTrue, InconclusiveError } from '../../expect.ts'
import { type Kit, SUMMARY } from '../../kit.ts'
import { contains, exactKeys, text } from '../../matchers.ts'
import { type ErrorRow, errorScenarios, type ScenarioGroup, scenario } from '../../scenario.ts'

const LIST = '/users/me/calendarList'
const SETTINGS = '/users/me/settings'
const QUIET = { query: { sendNotifications: false } }

/** The backgrounds of the palettes, in the order of their ids. */
const CALENDAR_COLOURS =
  'ac725e d06b64 f83a22 fa573c ff7537 ffad46 42d692 16a765 7bd148 b3dc6c fbe983 fad165 92e1c0 9fe1e7 9fc6e7 4986e7 9a9cff b99aff c2c2c2 cabdbf cca6ac f691b2 cd74e6 a47ae2'
const EVENT_COLOURS = 'a4bdfc 7ae7bf dbadff ff887c fbd75b ffb878 46d6db e1e1e1 5484ed 51b749 dc2127'
/** Returns a palette as `colors` shows it, from backgrounds separated by spaces. */
const toPalette = (colours: string) =>
  Object.fromEntries(
    colours.split(' ').map((colour, at) => [at + 1, { background: `#${colour}`, foreground: '#1d1d1d' }]),
  )

const TRUTH = /^(true|false)$/
/** The values of settings that the reference lists. */
const VALUES: Readonly<Record<string, RegExp>> = {
  dateFieldOrder: /^(MDY|DMY|YMD)$/,
  defaultEventLength: /^[1-9]\d*$/,
  format24HourTime: TRUTH,
  hideInvitations: TRUTH,
  hideWeekends: TRUTH,
  locale: /^[a-z]{2}(_([A-Z]{2}|419))?$/,
  remindOnRespondedEventsOnly: TRUTH,
  showDeclinedEvents: TRUTH,
  timezone: /./,
  useKeyboardShortcuts: TRUTH,
  weekStart: /^[016]$/,
}

const HOOK = { type: 'web_hook', address: 'https://example.com/fake-calendar-conform' }

/** Opens a channel on the shared calendar's events, which is stopped after the scenario. Returns the response. */
async function openEventChannel(kit: Kit, body: object) {
  const answer = await kit.post(`${await kit.eventsPath()}/watch`, { id: await kit.unusedId(), ...HOOK, ...body })
  const { id, resourceId } = answer.body
  if (answer.status === 200) kit.onCleanUp(() => kit.post('/channels/stop', { id, resourceId }))
  return answer
}

/** Creates the row of a channel that is rejected (400), with these fields in its body. */
const watchErrorRow = (name: string, headings: string, body: object): ErrorRow => [
  name,
  headings,
  'POST',
  'watch',
  async (kit) => ({ body: { id: await kit.unusedId(), ...HOOK, ...body } }),
  { status: 400 },
]

export const entries: ScenarioGroup = {
  name: 'entries',
  scenarios: [
    scenario('the palettes have these colours', '3.8', async (kit) => {
      const answer = await kit.get('/colors')
      expectOk(answer, { calendar: toPalette(CALENDAR_COLOURS), event: toPalette(EVENT_COLOURS) })
    }),
    scenario('settings have values that the reference of the API lists', '3.7', async (kit) => {
      const { items } = await kit.listAll(SETTINGS)
      const wrong = items.find(({ id, value }) => VALUES[id] && !VALUES[id].test(String(value)))
      expectTrue(wrong === undefined, `the setting ${wrong?.id} is ${wrong?.value}`)
    }),
    scenario('get returns the same setting as the list', '3.7', async (kit) => {
      const { items } = await kit.listAll(SETTINGS)
      for (const id of ['timezone', 'locale']) {
        const one = await kit.get(`${SETTINGS}/${id}`)
        expectShape(
          one,
          items.find((item) => item.id === id),
          expectOk(one, { id, value: text }),
        )
      }
    }),
    scenario('a list entry of a secondary calendar names its data owner', '15.5, 3.5.1', async (kit) => {
      expectOk(await kit.get(`${LIST}/${await kit.calendarId()}`), { dataOwner: await kit.ownerEmail() })
    }),
    scenario('a calendar list is ordered by the last change, oldest first', '5.3.1', async (kit) => {
      const one = await kit.createOwnCalendar({ summary: `${SUMMARY}, second by name` })
      const two = await kit.createOwnCalendar({ summary: `${SUMMARY}, first by name` })
      const places = async () => {
        const { items } = await kit.listAll(LIST)
        return [one, two].map((id) => items.findIndex((item) => item.id === id)) as [number, number]
      }
      const [before, after] = await places()
      expectTrue(before >= 0 && before < after, 'the calendar that was made later comes first')
      await kit.require(kit.patch(`${LIST}/${one}`, { summaryOverride: 'Changed' }))
      const [changed, other] = await places()
      expectTrue(changed > other, 'a changed entry keeps its place')
    }),
    scenario('a list of rules is ordered by the last change, oldest first', '5.3.1', async (kit) => {
      const path = `/calendars/${await kit.createOwnCalendar()}/acl`
      for (const value of ['zoe', 'adam'])
        await kit.require(
          kit.post(path, { role: 'reader', scope: { type: 'user', value: `${value}@example.com` } }, QUIET),
        )
      const { items } = await kit.listAll(path)
      const found = items.map(({ id }) => id.replace(/^user:(zoe|adam)@.*/, '$1')).filter((id) => id.length < 5)
      expectTrue(found.join() === 'zoe,adam', `the list of rules has the order ${found}`)
    }),
    scenario('minAccessRole also lists higher roles', '1.23', async (kit) => {
      const id = await kit.calendarId()
      const { items } = await kit.listAll(LIST, { minAccessRole: 'reader' })
      expectTrue(
        items.some((item) => item.id === id),
        'minAccessRole=reader omits a calendar that is owned',
      )
    }),
    scenario('minAccessRole=owner omits calendars that the caller only reads', '1.23, 15.15.1', async (kit) => {
      const id = 'en.new_zealand#holiday@group.v.calendar.google.com'
      const entry = `${LIST}/${encodeURIComponent(id)}`
      if ((await kit.get(entry)).status !== 200) {
        kit.onCleanUp(() => kit.delete(entry))
        await kit.require(kit.post(LIST, { id }))
      }
      const listed = async (minAccessRole: string) =>
        (await kit.listAll(LIST, { minAccessRole })).items.some((item) => item.id === id)
      expectTrue(await listed('reader'), 'minAccessRole=reader omits a calendar with the role reader')
      expectTrue(!(await listed('owner')), 'minAccessRole=owner lists a calendar with the role reader')
    }),
    scenario('showDeleted=true lists a deleted calendar as deleted', '1.23, 3.5.6', async (kit) => {
      const id = await kit.createOwnCalendar()
      await kit.require(kit.delete(`/calendars/${id}`))
      const { items } = await kit.listAll(LIST, { showDeleted: true })
      expectTrue(
        items.some((item) => item.id === id && item.deleted === true),
        'showDeleted=true does not list a deleted calendar',
      )
      expectTrue(
        !(await kit.listAll(LIST)).items.some((item) => item.id === id),
        'the plain list has a deleted calendar',
      )
    }),
    scenario(
      'rules for a user, a group and a domain have their ids, and PUT and PATCH change them',
      '3.6.1, 3.6.3',
      async (kit) => {
        const path = `/calendars/${await kit.createOwnCalendar()}/acl`
        for (const [type, value] of [
          ['user', 'zoe@example.com'],
          ['group', 'team@example.com'],
          ['domain', 'example.org'],
        ]) {
          const id = `${type}:${value}`
          const scope = { type, value }
          const role = type === 'domain' ? 'freeBusyReader' : 'writer'
          expectOk(await kit.post(path, { role, scope }, QUIET), { id, role, scope })
          expectOk(await kit.put(`${path}/${id}`, { role: 'reader', scope }, QUIET), { id, role: 'reader' })
          expectOk(await kit.patch(`${path}/${id}`, { role }, QUIET), { id, role, scope })
          expectOk(await kit.get(`${path}/${id}`), exactKeys('kind', 'etag', 'id', 'scope', 'role'))
          expectOk(await kit.get(path), { items: contains({ id, role }) })
        }
      },
    ),
    scenario('the rule of the creator of a calendar has its own etag', '15.6.1', async (kit) => {
      const [id, me] = [await kit.calendarId(), await kit.ownerEmail()]
      expectOk(await kit.get(await kit.aclPath()), {
        items: contains(
          { id: `user:${id}`, etag: '"00000000000000000000"' },
          { id: `user:${me}`, role: 'owner', etag: /^"(?!0{20})\d{20}"$/ },
        ),
      })
    }),
    scenario('the channel type webhook and an id of 64 characters are accepted', '6.1.1, 12.2', async (kit) => {
      const id = `${await kit.unusedId()}-_+/=`.padEnd(64, 'A')
      expectOk(await openEventChannel(kit, { id, type: 'webhook' }), { id })
    }),
    scenario('a channel with an expiration ends then', '6.1.1, 6.1.5', async (kit) => {
      const { headers } = await kit.get('/colors')
      const now = Date.parse(headers.get('Date') ?? '')
      if (Number.isNaN(now)) throw new InconclusiveError('the server sends no date')
      const expiration = now + 7_200_000
      const ms = Number(expectOk(await openEventChannel(kit, { expiration })).expiration)
      expectTrue(Math.abs(ms - expiration) < 2000, `a channel for ${expiration} ends at ${ms}`)
    }),
    scenario('stop requires the resourceId of the channel, and succeeds once', '6.3.2', async (kit) => {
      const { id, resourceId } = expectOk(await openEventChannel(kit, {}), { resourceId: text })
      const expected = { status: 404, reason: 'notFound', message: /^Channel '.*' not found/ }
      expectError(await kit.post('/channels/stop', { id, resourceId: 'A'.repeat(27) }), expected)
      expectStatus(await kit.post('/channels/stop', { id, resourceId }), 204)
      expectError(await kit.post('/channels/stop', { id, resourceId }), expected)
    }),
    ...errorScenarios([
      watchErrorRow('a channel id with a space is rejected', '6.1.1, 12.2', { id: 'fake calendar!' }),
      watchErrorRow('a channel token above 256 characters is rejected', '6.1.1, 12.2', { token: 'x'.repeat(257) }),
      watchErrorRow('a channel with an expiration in the past is rejected', '6.1.5', { expiration: 1_000_000_000_000 }),
      watchErrorRow('a channel without an address is rejected', '1.25', { address: undefined }),
      watchErrorRow('a channel without a type is rejected', '1.25, 6.1.6', { type: undefined }),
      [
        'PUT does not change the scope of a rule',
        '3.6.3',
        'PUT',
        async (kit) => {
          const path = await kit.aclPath()
          await kit.require(kit.post(path, { role: 'reader', scope: { type: 'default' } }, QUIET))
          return `${path}/default`
        },
        () => ({ body: { role: 'reader', scope: { type: 'user', value: 'zoe@example.com' } }, ...QUIET }),
        { status: 400, reason: 'invalid' },
      ],
    ]),
    scenario('a list of settings without maxResults returns all settings', '1.11', async (kit) => {
      const { items } = await kit.listAll(SETTINGS, { maxResults: 250 })
      const page = expectOk(await kit.get(SETTINGS))
      const expected = Math.min(items.length, 100)
      expectTrue(
        page.items.length === expected,
        `a page has ${page.items.length} of ${items.length} settings by default`,
      )
    }),
    scenario(
      'a list of calendars has 100 items by default',
      '1.11',
      async (kit) => {
        for (let made = (await kit.listAll(LIST, { maxResults: 250 })).items.length; made < 101; made++)
          await kit.createOwnCalendar()
        const { items } = expectOk(await kit.get(LIST), { nextPageToken: text })
        expectTrue(items.length === 100, `a page of calendars has ${items.length} items by default`)
      },
      'loopback',
    ),
    scenario('parts of a batch are HTTP responses, and errors are JSON', '11.1.3', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent()
      const part = (name: string, event: string) =>
        `--b\r\nContent-Type: application/http\r\nContent-ID: <${name}>\r\n\r\nGET /calendar/v3${path}/${event} HTTP/1.1\r\n\r\n`
      const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
      const answer = await kit.post('//batch/calendar/v3', `${part('a', id)}${part('b', 'nothing')}--b--\r\n`, {
        headers,
      })
      expectTrue(answer.status === 200, `a batch is answered ${answer.status}`)
      const [, boundary = 'none'] = /boundary="?([\w-]+)"?/.exec(answer.headers.get('Content-Type') ?? '') ?? []
      const parts = answer.text.split(`--${boundary}`).slice(1, -1)
      expectTrue(
        parts.length === 2 && parts.every((one) => /^Content-Type: application\/http\r?$/m.test(one)),
        'the parts are not of the type application/http',
      )
      const bodies = parts.map((one) => JSON.parse(one.slice(one.indexOf('{')).trim()))
      expectShape(answer, bodies, [
        { kind: 'calendar#event', id },
        { error: { code: 404, errors: [{ reason: 'notFound' }] } },
      ])
    }),
  ],
}
