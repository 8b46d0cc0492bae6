import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Ended, fakeCalendar } from '../../support/command.ts'

const PROGRAM = fileURLToPath(new URL('signIn.mjs', import.meta.url))
const [ALICE, BOB, NOBODY] = ['alice@example.com', 'bob&co@example.com', 'nobody@example.com']

/** The options of exec, the ways to sign in, and what each results in: the account of the tokens, or the error. */
describe.skipIf(process.platform === 'win32').each<{ options: string[]; ways: [way: string, result: string][] }>([
  {
    options: [],
    ways: [
      ['browser', ALICE],
      ['localhost', ALICE],
      ['IPv6 loopback', ALICE],
      ['PKCE with another verifier', 'invalid_grant'],
      ['copied code', ALICE],
      ['out of band', 'Error 400: invalid_request'],
      ['device code', `${ALICE}, then ${ALICE}`],
      ['consent refused', 'access_denied'],
    ],
  },
  {
    options: ['--consent', '--as', BOB],
    ways: [
      ['browser', BOB],
      ['desktop opener', BOB],
      ['printed address', `Open https://accounts.google.com/o/oauth2/v2/auth, then ${BOB}`],
      ['PKCE', BOB],
      ['device code', `authorization_pending, then ${BOB}`],
      ['two at once', `${BOB} and ${BOB}`],
      ['consent refused', 'access_denied'],
    ],
  },
  {
    options: ['--as', NOBODY],
    ways: [
      ['browser', NOBODY],
      ['web application', NOBODY],
      ['device code', `${NOBODY}, then ${NOBODY}`],
    ],
  },
])('a program under exec signs in with $options', ({ options, ways }) => {
  let ended: Ended
  let results: Record<string, string>
  beforeAll(async () => {
    const program = [process.execPath, PROGRAM, ...ways.map(([way]) => way)]
    ended = await fakeCalendar(['exec', '--intercept', ...options, '--', ...program])
    results = Object.fromEntries(ended.stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : [])))
  })

  test.each(ways)('%s', (way, result) => {
    expect(results[way], ended.stderr).toBe(result)
  })

  test('the program ends without an error', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })
})

test.skipIf(process.platform === 'win32')('the text of a page that shows a code is printed', async () => {
  const { stdout, stderr } = await fakeCalendar([
    'exec',
    '--intercept',
    '--',
    process.execPath,
    PROGRAM,
    'page with a code',
  ])

  expect({ stdout, stderr }).toEqual({
    stdout: `["page with a code","${ALICE}"]\n`,
    stderr: 'fake-calendar: BROWSER: the page shows: App Paste this code: 4&2\n',
  })
})
