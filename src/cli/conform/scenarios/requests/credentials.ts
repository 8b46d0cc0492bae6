import {
  expectError,
  expectOk,
  expectShape,
  expectTrue,
  InconclusiveError,
  type ReceivedResponse,
} from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { absent } from '../../matchers.ts'
import { type ScenarioGroup, scenario } from '../../scenario.ts'

const LIST = '/users/me/calendarList'
const REALM = 'Bearer realm="https://accounts.google.com/"'

/** Lists calendars without a token, with these headers. */
const getListWithHeaders = (kit: Kit, headers: Record<string, string>) => kit.get(LIST, {}, { as: 'nobody', headers })

/** Checks the header WWW-Authenticate of a response. Throws a DifferenceError. */
function expectChallenge({ request, headers }: ReceivedResponse, expected: string): void {
  const found = headers.get('WWW-Authenticate')
  expectTrue(found === expected, `${request}: expected WWW-Authenticate ${expected}, got ${found}`)
}

/**
 * Sends a token that no server issues, and returns the response. Fakes may accept any token; fake-calendar rejects one that
 * ends in `~`, because it names a world but no account. Rejects with an InconclusiveError if the token is accepted.
 */
async function sendBadToken(kit: Kit): Promise<ReceivedResponse> {
  const [world = 'default'] = kit.target.tokens.owner.match(/^[\w.-]+(?=~)/) ?? []
  const answer = await getListWithHeaders(kit, { Authorization: `Bearer ${world}~` })
  if (answer.status === 200) throw new InconclusiveError('the server accepts any token')
  return answer
}

export const credentials: ScenarioGroup = {
  name: 'credentials',
  scenarios: [
    scenario('the WWW-Authenticate of a request without a token names no error', '2.1.3', async (kit) =>
      expectChallenge(await getListWithHeaders(kit, {}), REALM),
    ),
    scenario('the WWW-Authenticate of an invalid token names invalid_token', '2.1.3', async (kit) =>
      expectChallenge(await sendBadToken(kit), `${REALM}, error="invalid_token"`),
    ),
    scenario('an invalid token is 401 with the reason authError', '2.2.10', async (kit) => {
      const answer = await sendBadToken(kit)
      expectError(answer, {
        ...{ status: 401, reason: 'authError', message: 'Invalid Credentials', domain: 'global' },
        location: 'Authorization',
      })
      expectShape(answer, answer.body, {
        error: { status: 'UNAUTHENTICATED', message: /^Request had invalid authentication credentials\. / },
      })
    }),
    scenario('credentials of another scheme than Bearer are ignored', '2.2.10', async (kit) =>
      expectError(await getListWithHeaders(kit, { Authorization: 'Basic YTpi' }), { status: 401 }),
    ),
    scenario('an error of the front end names the service and the method', '2.1.2', async (kit) => {
      const answer = await getListWithHeaders(kit, {})
      const metadata = { service: 'calendar-json.googleapis.com', method: 'calendar.v3.CalendarList.List' }
      expectShape(answer, answer.body, { error: { details: [{ domain: 'googleapis.com', metadata }] } })
    }),
    scenario('a token in the parameter oauth_token is accepted', '11.12', async (kit) => {
      const query = { ...kit.week(), oauth_token: kit.target.tokens.owner }
      expectOk(await kit.get(await kit.eventsPath(), query, { as: 'nobody' }), {
        error: absent,
        kind: 'calendar#events',
      })
    }),
  ],
}
