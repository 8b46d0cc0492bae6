/**
 * A typical page for the real service: it loads the service's scripts, waits for both, requests a token with
 * the first click, lists the coming events, adds an event, and signs out. `at` has the origins of the scripts.
 */
export const planner = (at: { api: string; accounts: string }): string => `<!DOCTYPE html>
<meta charset="utf-8"><link rel="icon" href="data:,"><title>Planner</title>
<button id="sign-in" hidden>Sign in</button>
<button id="add" hidden>Add lunch</button>
<button id="sign-out" hidden>Sign out</button>
<ul></ul>
<p role="status"></p>
<script>
  const SCOPE = 'https://www.googleapis.com/auth/calendar.events'
  const $ = (selector) => document.querySelector(selector)
  const say = (text) => { $('[role=status]').textContent = text }
  let tokens
  let ready = 0
  const isReady = () => { ready += 1; if (ready === 2) $('#sign-in').hidden = false }

  function apiLoaded() {
    gapi.load('client', async () => {
      await gapi.client.init({
        apiKey: 'AIzaFakeKey',
        discoveryDocs: ['https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest'],
      })
      isReady()
    })
  }
  function accountsLoaded() {
    tokens = google.accounts.oauth2.initTokenClient({ client_id: 'planner', scope: SCOPE, callback: '',
      error_callback: ({ type }) => say(type) })
    isReady()
  }

  $('#sign-in').onclick = () => {
    tokens.callback = async (answer) => {
      if (answer.error) return say(answer.error)
      say(google.accounts.oauth2.hasGrantedAllScopes(answer, SCOPE) ? 'granted' : 'not granted')
      $('#add').hidden = $('#sign-out').hidden = false
      $('#sign-in').textContent = 'Refresh'
      await show()
    }
    tokens.requestAccessToken({ prompt: gapi.client.getToken() === null ? 'consent' : '' })
  }
  $('#add').onclick = () => {
    const event = { summary: 'Lunch', start: { dateTime: '2026-03-02T12:00:00Z' }, end: { dateTime: '2026-03-02T13:00:00Z' } }
    gapi.client.calendar.events.insert({ calendarId: 'primary', resource: event })
      .execute((made) => { say(made.status + ' ' + made.result.summary); show() })
  }
  $('#sign-out').onclick = () => {
    google.accounts.oauth2.revoke(gapi.client.getToken().access_token, ({ successful }) => say('revoked: ' + successful))
    gapi.client.setToken('')
    $('ul').innerHTML = ''
    $('#sign-in').textContent = 'Sign in'
  }
  async function show() {
    let response
    try {
      response = await gapi.client.calendar.events.list({ calendarId: 'primary', timeMin: '2026-03-01T00:00:00Z',
        singleEvents: true, maxResults: 10, orderBy: 'startTime' })
    } catch (error) {
      return say(error.result.error.message)
    }
    $('ul').replaceChildren(...response.result.items.map(({ summary }) => {
      const item = document.createElement('li')
      item.textContent = summary
      return item
    }))
  }
</script>
<script async defer src="${at.api}/js/api.js" onload="apiLoaded()"></script>
<script async defer src="${at.accounts}/gsi/client" onload="accountsLoaded()"></script>
`
