import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, run, serve } from '../support/command.ts'
import { lacks, pathOf } from '../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-executable-'))
const command = join(folder, 'fake-calendar')
/** No program is found by its name, so that Node.js is not. */
const env = { PATH: folder, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), NODE_OPTIONS: '' }

describe.skipIf(process.platform !== 'linux')('the single-file executable', () => {
  beforeAll(async () => {
    const { code, stdout, stderr } = await run([join('build', 'executable.js'), folder], { cwd: ROOT })
    expect(code, stdout + stderr).toBe(0)
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  test('it serves the API and the inspector', async () => {
    const { baseUrl, rootUrl, stop } = await serve([], { command, env })
    const headers = { Authorization: 'Bearer alice@example.com' }
    const statuses = [await fetch(`${baseUrl}/users/me/calendarList`, { headers }), await fetch(`${rootUrl}_ui/`)]
    await stop()

    expect(statuses.map(({ status }) => status)).toEqual([200, 200])
  })

  test.skipIf(lacks('curl'))('exec starts its own programs, and the command reaches the fake', async () => {
    const colors = 'https://www.googleapis.com/calendar/v3/colors?key=any'
    const { code, stdout, stderr } = await run(['exec', '--intercept', '--', pathOf('curl'), '-s', colors], {
      command,
      env,
    })

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'calendar#colors' })
  })

  test('a second start uses the same unpacked folder', async () => {
    for (let start = 0; start < 2; start++) expect((await run(['--version'], { command, env })).code).toBe(0)

    expect(readdirSync(join(folder, 'cache', 'fake-calendar'))).toHaveLength(1)
  })

  test('a start succeeds with a home that cannot be written, and leaves no file behind', async () => {
    const blocked = { ...env, XDG_CACHE_HOME: '/dev/null/cache', TMPDIR: mkdtempSync(join(folder, 'temporary-')) }
    const { code, stderr } = await run(['--version'], { command, env: blocked })

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readdirSync(blocked.TMPDIR)).toEqual([])
  })
})
