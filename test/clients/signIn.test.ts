import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fakeCalendar, ROOT, run, serve } from '../support/command.ts'
import { installEnvironment } from '../support/environment.ts'
import { lacks, pathOf } from '../support/programs.ts'

const SOURCE = 'test/samples/sign-in'
const BOB = 'bob@example.com'
const environment = await installEnvironment(SOURCE)
const program = join(environment ?? '', 'signIn.mjs')
if (environment) cpSync(join(ROOT, SOURCE, 'signIn.mjs'), program)
const PYTHON = join(ROOT, SOURCE, 'sign_in.py')

const PICTURE = 'https://lh3.googleusercontent.com/a/default-user=s96-c'
const SIGNED_IN = `${JSON.stringify([BOB, 'Bob Lindqvist', PICTURE])}\n`
const SEED = ['--seed', 'team']

describe.skipIf(!environment).each(['auth.js', 'passport', 'better-auth', 'openid-client'])('%s', (library) => {
  test('signs in unchanged under exec --intercept, as the account of --as', async () => {
    const ended = await fakeCalendar([
      'exec',
      '--intercept',
      ...SEED,
      '--as',
      BOB,
      '--',
      process.execPath,
      program,
      library,
    ])

    expect(ended).toMatchObject({ code: 0, stdout: SIGNED_IN })
  })

  test('signs in by the addresses of the fake, with --issuer', async () => {
    const { stop, url } = await serve([...SEED, '--issuer', 'self'])
    const ended = await run([program, library, url])
    await stop()

    expect(ended).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify(['alice@example.com', 'Alice Moreno', PICTURE])}\n`,
    })
  })
})

describe.skipIf(lacks('python3 google_auth_oauthlib'))('google-auth-oauthlib', () => {
  const command = pathOf('python3 google_auth_oauthlib')

  test('signs in unchanged under exec --intercept', async () => {
    const ended = await fakeCalendar(['exec', '--intercept', ...SEED, '--', command, PYTHON], {
      OAUTHLIB_INSECURE_TRANSPORT: '1',
    })

    expect(ended).toMatchObject({ code: 0, stdout: 'True True\n' })
  })

  test.each([
    ['1', 'True True\n', ''],
    ['', '', 'OAuth 2 MUST utilize https'],
  ])(
    'by the addresses of the fake, with OAUTHLIB_INSECURE_TRANSPORT=%s prints %j',
    async (insecure, stdout, message) => {
      const { stop, url } = await serve(SEED)
      const ended = await run([PYTHON, url], { command, env: { OAUTHLIB_INSECURE_TRANSPORT: insecure } })
      await stop()

      expect(ended.stdout).toBe(stdout)
      expect(ended.stderr).toContain(message)
    },
  )
})
