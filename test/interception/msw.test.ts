import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { handlers } from '../../src/interception/msw.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const LIST = 'https://www.googleapis.com/calendar/v3/users/me/calendarList'
const headers = { Authorization: `Bearer ${ALICE}` }

function startHandlers(...args: Parameters<typeof handlers>) {
  const server = setupServer(...handlers(...args))
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
}

test('the handlers of a fake answer for the service', async () => {
  const { fake } = openCalendar()
  startHandlers(fake)
  const added = await fetch(LIST.replace('users/me/calendarList', 'calendars'), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{ "summary": "Team" }',
  })
  const list = await (await fetch(LIST, { headers })).json()

  expect(added.status).toBe(200)
  expect(list).toMatchObject({ kind: 'calendar#calendarList', items: [{ id: ALICE }, { summary: 'Team' }] })
})

test('handlers for an address forward requests to that server', async () => {
  const { fake } = openCalendar()
  const { url } = await fake.listen()
  onTestFinished(() => fake.close())
  startHandlers(`${url}/w/blue`)
  const { items } = (await (await fetch(LIST, { headers })).json()) as { items: object[] }

  expect(items).toMatchObject([{ id: ALICE }])
  expect(fake.worlds()).toEqual(['default', 'blue'])
})

test.each([
  'https://storage.googleapis.com/bucket',
  'https://www.googleapis.com/drive/v3/files?q=/calendar/v3/',
  'https://www.googleapis.com/batch/drive/v3',
  'https://www.googleapis.com/discovery/v1/apis/drive/v3/rest',
  'https://oauth2.googleapis.com/tokens',
  'https://gmail.googleapis.com/calendar/v3/colors',
])('%s passes to the next handler', async (url) => {
  const { fake } = openCalendar()
  const server = setupServer(
    ...handlers(fake),
    http.all('https://*', () => HttpResponse.text('of another service')),
  )
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())

  expect(await (await fetch(url)).text()).toBe('of another service')
  expect(fake.calls()).toEqual([])
})

test.each([
  ['https://www.googleapis.com/calendar/v3/colors?fields=kind', 200],
  ['https://WWW.googleapis.com:443/calendar/v3/colors', 200],
  ['https://calendar-json.googleapis.com/v3/colors', 200],
  ['https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest', 200],
  ['https://calendar.googleapis.com/$discovery/rest?version=v3', 200],
  ['https://oauth2.googleapis.com/tokeninfo?access_token=alice@example.com', 200],
  ['https://accounts.google.com/.well-known/openid-configuration', 200],
  ['https://accounts.google.com/gsi/client', 200],
  ['https://www.googleapis.com/calendar/v3/nothing', 404],
])('%s is answered', async (url, status) => {
  const { fake } = openCalendar()
  startHandlers(fake)

  expect((await fetch(url, { headers })).status).toBe(status)
})

test('other values than a fake are rejected', () => {
  expect(() => handlers('' as never)).toThrow('fake: not a fake')
})
