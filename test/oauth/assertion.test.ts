import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { NOW } from '../support/calendar.ts'

const MINUTE = 60
const AUD = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/calendar'

/** Exchanges an assertion that is issued `iat` ms from now on the world's clock and valid for `lasts` ms. */
async function exchange(options: { now?: string }, { iat, lasts }: { iat: number; lasts: number }) {
  const fake = createFakeCalendar(options)
  const made = Math.floor(fake.clock.now() / 1000) + iat
  const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url')
  const claims = { iss: 'robot@project.iam.gserviceaccount.com', scope: SCOPE, aud: AUD, iat: made, exp: made + lasts }
  const assertion = [part({ alg: 'RS256' }), part(claims), 'signed'].join('.')
  const reply = await fake.request('/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
  })
  return { status: reply.status, ...(await reply.json()) }
}

const SHORT_LIVED = {
  status: 400,
  error: 'invalid_grant',
  error_description: expect.stringContaining(
    'Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
  ),
}

test.each([
  ['now, for an hour', { iat: 0, lasts: 60 * MINUTE }],
  ['an hour ago, and expired within the clock tolerance', { iat: -62 * MINUTE, lasts: 60 * MINUTE }],
  ['by a clock that is four minutes ahead', { iat: 4 * MINUTE, lasts: 60 * MINUTE }],
])('an assertion made %s is valid', async (_, made) => {
  expect(await exchange({}, made)).toMatchObject({
    status: 200,
    token_type: 'Bearer',
    access_token: expect.any(String),
  })
})

test.each([
  ['expired', { iat: -70 * MINUTE, lasts: 60 * MINUTE }],
  ['not yet valid', { iat: 6 * MINUTE, lasts: 60 * MINUTE }],
  ['valid for too long', { iat: 0, lasts: 66 * MINUTE }],
  ['expired before it was issued', { iat: 0, lasts: 0 }],
])('an assertion that is %s is rejected', async (_, made) => {
  expect(await exchange({}, made)).toEqual(SHORT_LIVED)
})

test('with a clock that does not follow the machine, only the lifetime of an assertion is checked', async () => {
  expect(await exchange({ now: NOW }, { iat: -600 * MINUTE, lasts: 60 * MINUTE })).toMatchObject({ status: 200 })
  expect(await exchange({ now: NOW }, { iat: 0, lasts: 66 * MINUTE })).toEqual(SHORT_LIVED)
})
