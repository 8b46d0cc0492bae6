import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { handlers } from '../../src/interception/msw.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const LIST = 'https://www.googleapis.com/calendar/v3/users/me/calendarList'
const headers = { Authorization: `Bearer ${ALICE}` }

function listening(...args: Parameters<typeof handlers>) {
  const server = setupServer(...handlers(...args))
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
}

test('the handlers of a fake answer for the service', async () => {
  const { fake } = openCalendar()
  listening(fake)
  const added = await fetch(LIST.replace('users/me/calendarList', 'calendars'), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{ "summary": "Team" }',
  })
  const list = await (await fetch(LIST, { headers })).json()

  expect(added.status).toBe(200)
  expect(list).toMatchObject({ kind: 'calendar#calendarList', items: [{ id: ALICE }, { summary: 'Team' }] })
})

test('those of an address hand requests on to the server there', async () => {
  const { fake } = openCalendar()
  const { url } = await fake.listen()
  onTestFinished(() => fake.close())
  listening(`${url}/w/blue`)
  const { items } = (await (await fetch(LIST, { headers })).json()) as { items: object[] }

  expect(items).toMatchObject([{ id: ALICE }])
  expect(fake.worlds()).toEqual(['default', 'blue'])
})

test('another host of the same company is answered with an error that names it', async () => {
  const { fake } = openCalendar()
  listening(fake)
  const response = await fetch('https://storage.googleapis.com/bucket')

  expect(response.status).toBe(500)
  expect(await response.text()).toContain('fake-calendar: storage.googleapis.com is no host of the calendar service')
})

test('what is no fake is refused', () => {
  expect(() => handlers('' as never)).toThrow('fake: not a fake')
})
