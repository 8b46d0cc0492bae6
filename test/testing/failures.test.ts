import { expect, test } from 'vitest'
import type { FaultName } from '../../src/index.ts'
import { REFUSALS } from '../../src/wire/refusals.ts'
import { ALICE, allDay, openCalendar, refusal } from '../support/calendar.ts'
import { EVENTS } from '../support/push.ts'

const names = Object.keys(REFUSALS) as FaultName[]

test.each(names)('%s can be provoked on any method, with its own status and words', async (fail) => {
  const { fake } = openCalendar()
  const { code, message, oauth, frontEnd } = REFUSALS[fail] as {
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
  if (oauth) expect(body.error).toBe(oauth)
  else expect(Object.keys(body.error)[0]).toBe(frontEnd ? 'code' : 'errors')
  if (!message.includes('{') && !frontEnd && !oauth) expect(body.error.message).toBe(message)
})

// behaviour 2.6.1
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
])('%s is %i of the backend', async (fail, status, reason, message) => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: '*', do: { fail } })

  expect(refusal(await as(ALICE).get('/colors'))).toEqual({ status, domain: 'usageLimits', reason, message })
})

// behaviour 2.6.2, 15.21
test('a service that is not enabled says where to enable it; who has no calendar is told so', async () => {
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
  expect(refusal(await as(ALICE).get('/colors'))).toEqual({
    ...{ status: 403, domain: 'calendar', reason: 'notACalendarUser' },
    message: 'The user must be signed up for Google Calendar.',
  })
})

// behaviour 2.6.5
test('a span that is too long, and a receiver that was not verified', async () => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: 'events.insert', do: { fail: 'eventDurationExceedsLimit' } })
  fake.faults.add({ on: 'events.watch', do: { fail: 'webhookUrlUnauthorized' } })
  const channel = { id: 'mine', type: 'web_hook', address: 'https://example.com/notifications' }

  expect(refusal(await as(ALICE).post(EVENTS, allDay('2026-03-02', '2036-03-02')))).toMatchObject({
    ...{ status: 400, domain: 'calendar', reason: 'eventDurationExceedsLimit' },
  })
  expect(refusal(await as(ALICE).post(`${EVENTS}/watch`, channel))).toEqual({
    ...{ status: 401, domain: 'global', reason: 'push.webhookUrlUnauthorized' },
    message: 'Unauthorized WebHook callback channel: https://example.com/notifications',
  })
})

// behaviour 2.6.3
test('faults of the service, in both envelopes', async () => {
  const { fake, as } = openCalendar()
  const all = ['backendError', 'backendError503', 'frontEndBackendError', 'frontEndBackendError503'] as const
  fake.faults.add({ on: '*', do: all.map((fail) => ({ fail })) })
  const seen: unknown[] = []
  for (const _ of all) {
    const reply = await as(ALICE).get('/colors')
    seen.push([reply.status, refusal(reply).reason, reply.body.error.message, reply.body.error.status])
  }

  expect(seen).toEqual([
    [500, 'backendError', 'Backend Error', undefined],
    [503, 'backendError', 'Backend Error', undefined],
    [500, 'backendError', 'Internal error encountered.', 'INTERNAL'],
    [503, 'backendError', 'The service is currently unavailable.', 'UNAVAILABLE'],
  ])
})
