import { expect, test } from 'fake-calendar/playwright'

/** A page that calls the address of the real service. */
const PAGE = `<ul></ul><button>Book</button><script>
  const url = 'https://www.googleapis.com/calendar/v3/calendars/primary/events'
  const headers = { Authorization: 'Bearer alice@example.com', 'Content-Type': 'application/json' }
  const show = async () => {
    const { items } = await (await fetch(url, { headers })).json()
    document.querySelector('ul').innerHTML = items.map(({ summary }) => '<li>' + summary + '</li>').join('')
  }
  document.querySelector('button').onclick = async () => {
    const event = { summary: 'Lunch', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) })
    await show()
  }
  show()
</script>`

const open = async (page) => {
  await page.route('http://app.localhost/', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
  await page.goto('http://app.localhost/')
}

test('a page shows the event of the test', async ({ page, fake, calendar }) => {
  await calendar.events.quickAdd({ calendarId: 'primary', text: 'Dinner' })
  await open(page)

  await expect(page.getByRole('listitem')).toHaveText(['Dinner'])
  expect(fake).toHaveReceived('events.list')
})

test('a page writes only to the world of its test', async ({ page, fake }) => {
  await open(page)
  await page.getByRole('button').click()

  await expect(page.getByRole('listitem')).toHaveText(['Lunch'])
  expect(fake).toHaveReceived('events.insert', { body: { summary: 'Lunch' } })
  expect(fake).toHaveEvent({ summary: 'Lunch' })
  expect(fake).toHaveChanged([{ change: 'added', kind: 'event' }])
})

/** A page that loads the service's scripts, and gets a token from a popup. */
const SCRIPTED = `<button>Sign in</button><ul></ul>
<script src="https://apis.google.com/js/api.js"></script><script src="https://accounts.google.com/gsi/client"></script>
<script>
  const callback = async () => {
    const { result } = await gapi.client.calendar.events.list({ calendarId: 'primary' })
    document.querySelector('ul').innerHTML = result.items.map(({ summary }) => '<li>' + summary + '</li>').join('')
  }
  gapi.load('client', () => gapi.client.load('calendar', 'v3'))
  const scope = 'https://www.googleapis.com/auth/calendar.readonly'
  const tokens = google.accounts.oauth2.initTokenClient({ client_id: 'app', scope, callback })
  document.querySelector('button').onclick = () => tokens.requestAccessToken()
</script>`

test('a page loads the scripts of the service, and signs in', async ({ page, fake, calendar }) => {
  await calendar.events.quickAdd({ calendarId: 'primary', text: 'Dinner' })
  await page.route('http://app.localhost/', (route) => route.fulfill({ contentType: 'text/html', body: SCRIPTED }))
  await page.goto('http://app.localhost/')
  await page.getByRole('button').click()

  await expect(page.getByRole('listitem')).toHaveText(['Dinner'])
  expect(fake).toHaveReceived('events.list', {}, { account: 'alice@example.com' })
})

test('a request to another Google host is refused', async ({ page }) => {
  await open(page)
  const reached = await page.evaluate(() => fetch('https://www.googleapis.com.').catch(() => 'refused'))
  const other = await page.evaluate(() => fetch('https://storage.googleapis.com/').catch(() => 'refused'))

  expect(reached).not.toBe('refused')
  expect(other).toBe('refused')
})

test('a fault that did not fire fails the test', async ({ fake }) => {
  test.fail()
  fake.faults.add({ on: 'events.list', do: { fail: 'backendError503' } })
})

test.describe('with a seed, an instant and an account', () => {
  test.use({ seed: 'team', now: '2026-03-02T09:00:00Z', account: 'dana@example.com' })

  test('the world has the seed, the instant and the account', async ({ fake, calendar }) => {
    const { data } = await calendar.calendarList.list()

    expect(data.items).toContainEqual(expect.objectContaining({ summaryOverride: 'Trails!' }))
    expect(fake.clock.now()).toBe(Date.parse('2026-03-02T09:00:00Z'))
  })
})
