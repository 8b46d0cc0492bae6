import { expectError, expectShape, expectStatus, expectTrue, listErrorItems } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { exactKeys } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

const INVALID_ID = { status: 400, reason: 'invalid', message: 'Invalid resource id value.' } as const

export const errors: ScenarioGroup = {
  name: 'errors',
  scenarios: [
    scenario('an error has errors, code and message', '2.1.1, 11.6', async (kit) => {
      const answer = await kit.get(`${await kit.eventsPath()}/nothing`)
      expectError(answer, { status: 404, reason: 'notFound', message: 'Not Found', domain: 'global' })
      expectShape(answer, answer.body, { error: exactKeys('errors', 'code', 'message') })
      expectShape(answer, listErrorItems(answer), [exactKeys('domain', 'reason', 'message')])
      expectTrue(answer.text.startsWith('{\n "error"'), 'the refusal is not indented by one space')
    }),
    scenario('the location of an error follows its message', '2.1.1, 2.2.5', async (kit) => {
      const answer = await kit.get(await kit.eventsPath(), { timeMin: kit.instant(9), timeMax: kit.instant(9) })
      expectError(answer, {
        ...{ status: 400, domain: 'calendar', reason: 'timeRangeEmpty', location: 'timeMax' },
        message: 'The specified time range is empty.',
      })
      expectShape(answer, listErrorItems(answer), [
        exactKeys('domain', 'reason', 'message', 'locationType', 'location'),
      ])
    }),
    scenario(
      'a request without credentials is 401 in the format of the front end',
      '2.1.2, 2.2.10, 11.12, 2.4',
      async (kit) => {
        const answer = await kit.get('/users/me/calendarList', {}, { as: 'nobody' })
        expectError(answer, {
          status: 401,
          reason: 'required',
          message: 'Login Required.',
          domain: 'global',
          location: 'Authorization',
        })
        expectShape(answer, answer.body, {
          error: { status: 'UNAUTHENTICATED', details: [{ reason: 'CREDENTIALS_MISSING' }] },
        })
        expectShape(answer, answer.body.error, exactKeys('code', 'message', 'errors', 'status', 'details'))
        expectTrue(answer.text.startsWith('{\n  "error"'), 'the refusal is not indented by two spaces')
      },
    ),
    scenario('an error is JSON that may not be cached, and has no ETag', '2.1.3, 11.4', async (kit) => {
      const { headers } = await kit.get(`${await kit.eventsPath()}/nothing`)
      expectTrue(
        headers.get('Content-Type') === 'application/json; charset=UTF-8',
        `Content-Type is ${headers.get('Content-Type')}`,
      )
      expectTrue(
        /no-store/.test(headers.get('Cache-Control') ?? ''),
        `Cache-Control is ${headers.get('Cache-Control')}`,
      )
      expectTrue(!headers.has('ETag'), 'an error response has an ETag')
    }),
    scenario('the reply to an unknown path is an HTML page', '2.7', async (kit) => {
      const answer = await kit.get('/nothing/of/the/kind')
      expectStatus(answer, 404)
      expectTrue(
        answer.headers.get('Content-Type')?.startsWith('text/html') ?? false,
        'the response is not an HTML page',
      )
    }),
    scenario('an unknown calendar is reported before an invalid body', '2.4', async (kit) => {
      expectStatus(await kit.post('/calendars/fake-calendar-nobody@group.calendar.google.com/events', {}), 404)
    }),
    scenario('an id that is in use is rejected', '2.2.4', async (kit) => {
      const { id } = await kit.createEvent({ id: await kit.unusedId() })
      expectError(await kit.post(await kit.eventsPath(), { ...kit.hour(9), id }), {
        ...{ status: 409, domain: 'global', reason: 'duplicate' },
        message: 'The requested identifier already exists.',
      })
    }),
    ...errorScenarios([
      [
        'an id of capital letters is rejected',
        '2.2.4, 3.2.4, 12.2',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), id: 'CAPITALS' } }),
        INVALID_ID,
      ],
      [
        'an id of less than 5 characters is rejected',
        '2.2.4, 3.2.4, 12.2',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), id: 'abc' } }),
        INVALID_ID,
      ],
      [
        'an id that begins with an underscore is rejected',
        '2.2.4, 3.2.4',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), id: '_abcdef' } }),
        INVALID_ID,
      ],
      [
        'an id with an iCalUID that does not follow from it is rejected',
        '2.2.4, 14.2, 3.2.4',
        'POST',
        '',
        async (kit) => ({
          body: { ...kit.hour(9), id: await kit.unusedId('b'), iCalUID: `${await kit.unusedId('b')}@example.com` },
        }),
        INVALID_ID,
      ],
      [
        'an insert whose body is not JSON is rejected',
        '2.2.1',
        'POST',
        '',
        () => ({ body: '{"summary":' }),
        { status: 400, reason: 'parseError', message: 'Parse Error' },
      ],
      [
        'orderBy=startTime without singleEvents is rejected',
        '1.16, 2.2.5',
        'GET',
        '',
        () => ({ query: { orderBy: 'startTime' } }),
        {
          status: 400,
          reason: 'invalid',
          location: 'orderBy',
          message: 'The requested ordering is not available for the particular query.',
        },
      ],
      [
        'an unknown orderBy is rejected',
        '1.13, 2.2.1',
        'GET',
        '',
        () => ({ query: { orderBy: 'start' } }),
        {
          status: 400,
          reason: 'invalidParameter',
          location: 'orderBy',
          message: "Invalid string value: 'start'. Allowed values: [startTime, updated]",
        },
      ],
      [
        'maxResults=0 is rejected',
        '1.11, 2.2.1',
        'GET',
        '',
        () => ({ query: { maxResults: 0 } }),
        {
          status: 400,
          reason: 'invalidParameter',
          location: 'maxResults',
          message: "Invalid value '0'. Values must be within the range: [1, 2147483647]",
        },
      ],
      [
        'an invalid boolean is rejected',
        '1.12, 2.2.1',
        'GET',
        '',
        () => ({ query: { singleEvents: 'maybe' } }),
        {
          status: 400,
          reason: 'invalidParameter',
          location: 'singleEvents',
          message: "Invalid boolean value: 'maybe'.",
        },
      ],
      [
        'a timestamp without an offset is rejected',
        '1.14, 2.2.1',
        'GET',
        '',
        () => ({ query: { timeMin: '2031-01-01T00:00:00' } }),
        { status: 400, reason: 'badRequest', message: 'Bad Request' },
      ],
      [
        'six reminders are rejected',
        '3.2.10, 12.7',
        'POST',
        '',
        (kit) => ({
          body: {
            ...kit.hour(9),
            reminders: {
              useDefault: false,
              overrides: [1, 2, 3, 4, 5, 6].map((minutes) => ({ method: 'popup', minutes })),
            },
          },
        }),
        { status: 400 },
      ],
      [
        'reminders with overrides and useDefault are rejected',
        '3.2.10, 2.2.7',
        'POST',
        '',
        (kit) => ({
          body: { ...kit.hour(9), reminders: { useDefault: true, overrides: [{ method: 'popup', minutes: 5 }] } },
        }),
        { status: 400, domain: 'calendar', reason: 'cannotUseDefaultRemindersAndSpecifyOverride' },
      ],
      [
        'an unknown colorId of an event is rejected',
        '3.2.12',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), colorId: '99' } }),
        { status: 400, reason: 'invalid' },
      ],
      [
        'a description that is too long is rejected',
        '14.23, 14.23.1, 2.2.1',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), description: 'x'.repeat(100_000) } }),
        { status: 400, message: 'A provided value exceeds the allowed size limit.' },
      ],
      [
        'a guest without an address is rejected',
        '7.11, 2.2.6',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), attendees: [{ displayName: 'Nobody' }] }, query: { sendUpdates: 'none' } }),
        { status: 400, reason: 'required', message: 'Missing attendee email.' },
      ],
      [
        'a guest with an invalid address is rejected',
        '7.11, 2.2.6',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), attendees: [{ email: 'not-an-email' }] }, query: { sendUpdates: 'none' } }),
        { status: 400, reason: 'invalid', message: 'Invalid attendee email.' },
      ],
      [
        'a lower sequence is rejected',
        '2.2.4, 3.2.7',
        'PUT',
        createMovedEvent,
        (kit) => ({ body: { ...kit.hour(11), sequence: 0 } }),
        { status: 400, message: /^Invalid sequence value\./ },
      ],
    ]),
  ],
}

/** Creates an event whose sequence has increased, and returns its path. */
async function createMovedEvent(kit: Kit): Promise<string> {
  const path = `${await kit.eventsPath()}/${(await kit.createEvent()).id}`
  await kit.require(kit.patch(path, kit.hour(11)))
  return path
}
