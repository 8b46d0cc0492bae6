import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { fakeCalendar } from '../../support/command.ts'

const PROGRAM = fileURLToPath(new URL('signIn.mjs', import.meta.url))
const [ALICE, BOB, NOBODY] = ['alice@example.com', 'bob@example.com', 'nobody@example.com']
const AS_BOB = ['--consent', '--as', BOB]

/** The way to sign in, the options of exec, and what the program prints: the account of its tokens, or the error. */
test.skipIf(process.platform === 'win32').each([
  ['browser', [], ALICE],
  ['browser', AS_BOB, BOB],
  ['browser', ['--as', NOBODY], NOBODY],
  ['desktop opener', AS_BOB, BOB],
  ['printed address', AS_BOB, `Open https://accounts.google.com/o/oauth2/v2/auth\n${BOB}`],
  ['localhost', [], ALICE],
  ['IPv6 loopback', [], ALICE],
  ['PKCE', AS_BOB, BOB],
  ['PKCE with another verifier', [], 'invalid_grant'],
  ['copied code', [], ALICE],
  ['out of band', [], 'Error 400: invalid_request'],
  ['device code', [], `${ALICE}, then ${ALICE}`],
  ['device code', AS_BOB, `authorization_pending, then ${BOB}`],
  ['two at once', AS_BOB, `${BOB} and ${BOB}`],
  ['consent refused', [], 'access_denied'],
  ['consent refused', AS_BOB, 'access_denied'],
])('a program under exec signs in: %s, with %j', async (way, options, printed) => {
  expect(await fakeCalendar(['exec', '--intercept', ...options, '--', process.execPath, PROGRAM, way])).toEqual({
    code: 0,
    stdout: `${printed}\n`,
    stderr: '',
  })
})
