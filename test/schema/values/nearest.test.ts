import { expect, test } from 'vitest'
import { findMisspelled, findNearest } from '../../../src/schema/values/nearest.ts'
import { openCalendar } from '../../support/calendar.ts'

const suggestionOf = (act: () => unknown): string | undefined => {
  try {
    act()
  } catch (error) {
    return /did you mean "([^"]+)"/.exec((error as Error).message)?.[1]
  }
  throw new Error('nothing was thrown')
}

test.each([
  ['syncTokenExpired', 'fullSyncRequired'],
  ['sync_token_expired', 'fullSyncRequired'],
  ['410', 'fullSyncRequired'],
  ['Gone', 'fullSyncRequired'],
  ['rateLimit', 'rateLimitExceeded'],
  ['tooManyRequests', 'rateLimitExceeded429'],
  ['429', 'rateLimitExceeded429'],
  ['quota', 'quotaExceeded'],
  ['unauthorized', 'authError'],
  ['401', 'authError'],
  ['conflict', 'duplicate'],
  ['409', 'duplicate'],
  ['etagMismatch', 'conditionNotMet'],
  ['preconditionFailed', 'conditionNotMet'],
  ['unavailable', 'backendError503'],
  ['500', 'backendError'],
  ['permissionDenied', 'forbidden'],
  ['revoked', 'oauthRevoked'],
  ['notFond', 'notFound'],
  ['fullSync', 'fullSyncRequired'],
])('a failure called %s is %s', (name, meant) => {
  const { fake } = openCalendar()
  expect(suggestionOf(() => fake.faults.add({ on: 'events.list', do: { fail: name as never } }))).toBe(meant)
})

test.each([
  ['event.insert', 'events.insert'],
  ['events.lst', 'events.list'],
  ['events.create', 'events.insert'],
  ['calendars.remove', 'calendars.delete'],
])('a method called %s is %s', (name, meant) => {
  const { fake } = openCalendar()
  expect(suggestionOf(() => fake.faults.add({ on: name, do: { fail: 'notFound' } }))).toBe(meant)
  expect(suggestionOf(() => fake.calls.verify(name))).toBe(meant)
})

test.each<[(fake: ReturnType<typeof openCalendar>['fake']) => unknown, string]>([
  [(fake) => fake.notifications.drop({ channel: 'mine' } as never), 'channelId'],
  [(fake) => fake.faults.add({ method: 'events.list', do: { fail: 'notFound' } } as never), 'on'],
  [(fake) => fake.faults.add({ on: 'events.list', effect: { fail: 'notFound' } } as never), 'do'],
  [(fake) => fake.faults.add({ on: 'events.list', do: { error: 'notFound' } } as never), 'fail'],
  [
    (fake) => fake.faults.add({ on: 'events.list', user: 'alice@example.com', do: { fail: 'notFound' } } as never),
    'account',
  ],
  [(fake) => fake.faults.add({ on: 'events.list', count: 2, do: { fail: 'notFound' } } as never), 'times'],
  [(fake) => fake.faults.add({ on: 'events.list', match: {}, do: { fail: 'notFound' } } as never), 'where'],
])('a wrong key names the right one: %s', (act, meant) => {
  expect(suggestionOf(() => act(openCalendar().fake))).toBe(meant)
})

test.each([
  ['GET', 'journal', 'GET /_control/calls'],
  ['GET', 'requests', 'GET /_control/calls'],
  ['GET', 'emails', 'GET /_control/mail'],
  ['GET', 'webhooks', 'GET /_control/notifications'],
  ['GET', 'time', 'GET /_control/clock'],
  ['GET', 'fault', 'GET /_control/faults'],
])('the route %s /%s is %s', async (verb, path, meant) => {
  const { fake } = openCalendar()
  const response = await fake.request(`/_control/${path}`, { method: verb })
  expect(await response.text()).toContain(meant)
})

test('an alias counts only if what it means is known', () => {
  expect(findNearest('conflict', ['duplicate', 'conflicts'])).toBe('duplicate')
  expect(findNearest('conflict', ['conflicts', 'other'])).toBe('conflicts')
})

test.each(['constructor', 'valueOf', 'toString', '__proto__'])('%s has a nearest name like any other word', (word) => {
  expect(findNearest(word, ['calls', 'faults'])).toMatch(/calls|faults/)
})

test.each([
  ['summry', 'summary'],
  ['SUMMARY', 'summary'],
  ['muster', undefined],
  ['description', undefined],
  ['timeMix', undefined],
  ['timeMaxx', 'timeMax'],
  ['time', undefined],
  ['p', undefined],
  ['dne', undefined],
  ['guest', undefined],
  ['guests', undefined],
  ['event', 'eventId'],
  ['recur', 'recurrence'],
])('%s misspells %s', (name, meant) => {
  const known = ['summary', 'timeMin', 'timeMax', 'q', 'end', 'guestsCanModify', 'guestsCanInvite', 'eventId', 'recurrence'] // biome-ignore format: one line
  expect(findMisspelled(name, known)).toBe(meant)
})
