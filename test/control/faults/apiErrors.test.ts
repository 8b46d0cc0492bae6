import { expect, test } from 'vitest'
import type { FaultName } from '../../../src/index.ts'
import { API_ERRORS } from '../../../src/schema/apiErrors.ts'
import { errorOfFault, FAULT_ALIASES, FAULT_NAMES } from '../../../src/schema/faultNames.ts'
import { ALICE, allDay, errorOf, openCalendar } from '../../support/calendar.ts'
import { EVENTS } from '../../support/push.ts'

const names = [...FAULT_NAMES, ...FAULT_ALIASES]

test.each(names)('%s can be injected into any method, with its own status and message', async (fail) => {
  const { fake } = openCalendar()
  const { code, message, oauth, frontEnd } = API_ERRORS[errorOfFault(fail)] as {
    code: number
    message: string
    oauth?: string
    frontEnd?: object
  }
  fake.faults.add({ on: 'events.get', do: { fail } })
  const init = { headers: { Authorization: `Bearer ${ALICE}` } }
  const reply = await fake.request('/calendar/v3/calendars/primary/events/lunch0', init)
  const body = await reply.json()

  expect(reply.status).toBe(code)
  expect(JSON.stringify(body)).not.toMatch(/\{\w+\}/)
  expect(body.error.message ?? '').not.toMatch(/^ | {2}/)
  if (oauth) expect(body.error).toBe(oauth)
  else expect(Object.keys(body.error)[0]).toBe(frontEnd ? 'code' : 'errors')
  if (!message.includes('{') && !frontEnd && !oauth) expect(body.error.message).toBe(message)
})

test('a fault is named by the reason of the error, or by its name in the table', () => {
  expect(new Set(FAULT_NAMES).size).toBe(FAULT_NAMES.length)
  expect(FAULT_NAMES).toEqual(expect.arrayContaining(['requiredAccessLevel', 'conditionNotMet', 'invalid_grant']))
  expect(FAULT_NAMES).toEqual(expect.arrayContaining(['syncTokenWithNonDefaultOrdering', 'push.webhookUrlNotHttps']))
  expect(FAULT_ALIASES).toEqual(expect.arrayContaining(['needsRole', 'staleEtag', 'oauthBadGrant']))
  expect(FAULT_ALIASES.filter((name) => !Object.hasOwn(API_ERRORS, name))).toEqual([])
  // A reason that is also the name of an error belongs to that error.
  for (const name of FAULT_NAMES) {
    const { reason, oauth } = API_ERRORS[errorOfFault(name)] as { reason: string; oauth?: string }
    if (!Object.hasOwn(API_ERRORS, name)) expect(oauth ?? reason).toBe(name)
  }
})

test.each<[FaultName, number, string]>([
  ['requiredAccessLevel', 403, 'requiredAccessLevel'],
  ['needsRole', 403, 'requiredAccessLevel'],
  ['conditionNotMet', 412, 'conditionNotMet'],
  ['staleEtag', 412, 'conditionNotMet'],
  ['syncTokenWithNonDefaultOrdering', 400, 'syncTokenWithNonDefaultOrdering'],
  ['forbidden', 403, 'forbidden'],
  ['pushNotSupportedForRequestedResource', 400, 'pushNotSupportedForRequestedResource'],
  ['pushNotSupportedForRequestedResource403', 403, 'pushNotSupportedForRequestedResource'],
])('2.2, 6.1.6 a fault %s is %i with the reason %s', async (fail, status, reason) => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: '*', do: { fail } })
  expect(errorOf(await as(ALICE).get('/colors'))).toMatchObject({ status, reason })
})

test('2.6.4 under calendarListLag a deleted calendar stays on its owner’s list, and cannot be removed', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  const listed = async () =>
    (await alice.get('/users/me/calendarList')).body.items.map(({ id }: { id: string }) => id).includes(team)
  const { id: team } = (await alice.post('/calendars', { summary: 'Team' })).body
  const { id: other } = (await alice.post('/calendars', { summary: 'Other' })).body
  fake.faults.add({ on: 'calendars.delete', do: { calendarListLag: true } })

  expect((await alice.delete(`/calendars/${team}`)).status).toBe(204)
  expect(await listed()).toBe(true)
  expect((await alice.get(`/calendars/${team}`)).status).toBe(404)
  expect((await alice.get(`/users/me/calendarList/${team}`)).body).toMatchObject({
    summary: 'Team',
    accessRole: 'owner',
  })
  const refused = await alice.delete(`/users/me/calendarList/${team}`)
  expect(errorOf(refused)).toMatchObject({ status: 403, reason: 'cannotUnsubscribeFromOwnedCalendar' })

  expect((await alice.delete(`/calendars/${other}`)).status).toBe(204)
  expect((await alice.get(`/users/me/calendarList/${other}`)).status).toBe(404)
  expect(() => fake.faults.add({ on: 'events.list', do: { calendarListLag: true } })).toThrow('calendars.delete')
})

test('an OAuth fault is named by its code', async () => {
  const { fake } = openCalendar()
  fake.faults.add({ on: 'oauth.token', do: [{ fail: 'invalid_grant' }, { fail: 'oauthBadGrant' }] })
  const send = async () => {
    const reply = await fake.request('/token', { method: 'POST', body: new URLSearchParams() })
    return [reply.status, await reply.json()]
  }
  const badGrant = [400, { error: 'invalid_grant', error_description: 'Bad Request' }]
  expect([await send(), await send()]).toEqual([badGrant, badGrant])
})

test.each(['foreignHost', 'waitTimedOut', 'unknownWorld', 'invalidSeed'])(
  '%s is not an error of the service',
  async (fail) => {
    const { fake, anonymous } = openCalendar()
    expect(() => fake.faults.add({ on: '*', do: { fail: fail as FaultName } })).toThrow('there is no failure')
    expect((await anonymous.post('/_control/faults', { on: '*', do: { fail } })).status).toBe(400)
  },
)

test.each<[FaultName, number, string, string]>([
  ['rateLimitExceeded', 403, 'rateLimitExceeded', 'Rate Limit Exceeded'],
  ['rateLimitExceeded429', 429, 'rateLimitExceeded', 'Rate Limit Exceeded'],
  ['userRateLimitExceeded', 403, 'userRateLimitExceeded', 'User Rate Limit Exceeded'],
  ['quotaExceeded', 403, 'quotaExceeded', 'Calendar usage limits exceeded.'],
  ['dailyLimitExceeded', 403, 'dailyLimitExceeded', 'Daily Limit Exceeded'],
  [
    ...(['dailyLimitExceededUnreg', 403, 'dailyLimitExceededUnreg'] as const),
    'Daily Limit for Unauthenticated Use Exceeded. Continued use requires signup.',
  ],
])('2.6.1 %s has status %i of the backend', async (fail, status, reason, message) => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: '*', do: { fail } })

  expect(errorOf(await as(ALICE).get('/colors'))).toEqual({ status, domain: 'usageLimits', reason, message })
})

test.each<[FaultName, string]>([
  [
    'dailyLimitExceeded',
    'https://console.developers.google.com/apis/api/calendar-json.googleapis.com/quotas?project=100000000001',
  ],
  ['dailyLimitExceededUnreg', 'https://code.google.com/apis/console'],
])('2.6.1 %s links to its help: %s', async (fail, extendedHelp) => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: '*', do: { fail } })

  const reply = await as(ALICE).get('/colors')

  expect(reply.status).toBe(403)
  expect(reply.body.error.errors).toEqual([expect.objectContaining({ reason: fail, extendedHelp })])
})

test('2.6.2, 15.21 errors of a disabled service link to its activation; an account without Calendar gets an error', async () => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: '*', do: [{ fail: 'accessNotConfigured' }, { fail: 'notACalendarUser' }] })
  const disabled = await as(ALICE).get('/colors')
  const help = expect.stringMatching(/^https:\/\/console\.developers\.google\.com\/.*project=100000000001$/)

  expect(disabled.status).toBe(403)
  expect(disabled.body.error).toEqual({
    code: 403,
    message: expect.stringMatching(
      /^Google Calendar API has not been used in project 100000000001 before or it is disabled\. Enable it by visiting .* then retry\./,
    ),
    errors: [expect.objectContaining({ domain: 'usageLimits', reason: 'accessNotConfigured', extendedHelp: help })],
    status: 'PERMISSION_DENIED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [{ description: expect.any(String), url: help }] },
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'SERVICE_DISABLED',
        domain: 'googleapis.com',
        metadata: { service: 'calendar-json.googleapis.com', consumer: 'projects/100000000001' },
      },
    ],
  })
  expect(errorOf(await as(ALICE).get('/colors'))).toEqual({
    ...{ status: 403, domain: 'calendar', reason: 'notACalendarUser' },
    message: 'The user must be signed up for Google Calendar.',
  })
})

test('2.6.5 a time range that is too long, and an unverified receiver', async () => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: 'events.insert', do: { fail: 'eventDurationExceedsLimit' } })
  fake.faults.add({ on: 'events.watch', do: { fail: 'webhookUrlUnauthorized' } })
  const channel = { id: 'mine', type: 'web_hook', address: 'https://example.com/notifications' }

  expect(errorOf(await as(ALICE).post(EVENTS, allDay('2026-03-02', '2036-03-02')))).toMatchObject({
    ...{ status: 400, domain: 'calendar', reason: 'eventDurationExceedsLimit' },
  })
  expect(errorOf(await as(ALICE).post(`${EVENTS}/watch`, channel))).toEqual({
    ...{ status: 401, domain: 'global', reason: 'push.webhookUrlUnauthorized' },
    message: 'Unauthorized WebHook callback channel: https://example.com/notifications',
  })
})

test('2.6.3 faults of the service, in both envelopes', async () => {
  const { fake, as } = openCalendar()
  const all = ['backendError', 'backendError503', 'frontEndBackendError', 'frontEndBackendError503'] as const
  fake.faults.add({ on: '*', do: all.map((fail) => ({ fail })) })
  const errors: unknown[] = []
  for (const _ of all) {
    const reply = await as(ALICE).get('/colors')
    errors.push([reply.status, errorOf(reply).reason, reply.body.error.message, reply.body.error.status])
  }

  expect(errors).toEqual([
    [500, 'backendError', 'Backend Error', undefined],
    [503, 'backendError', 'Backend Error', undefined],
    [500, 'backendError', 'Internal error encountered.', 'INTERNAL'],
    [503, 'backendError', 'The service is currently unavailable.', 'UNAVAILABLE'],
  ])
})
