import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'
import { lacks, pathOf } from '../support/programs.ts'

const run = promisify(execFile)

/** The unmodified official client of Debian. The script fails if it connects to any other address. */
async function morning(builder: string, options: { world?: string } = {}) {
  const { fake } = openCalendar()
  const { url } = await fake.listen()
  try {
    const token = options.world ? `${options.world}~${ALICE}` : ALICE
    const { stdout } = await run(pathOf('python3 googleapiclient'), ['test/clients/client.py', url, builder, token], {
      timeout: 25_000,
    })
    return { url, fake, results: JSON.parse(stdout) }
  } finally {
    await fake.close()
  }
}

describe.skipIf(lacks('python3 googleapiclient'))('the Python client', () => {
  test.each(['build', 'build_from_document'])(
    '11.13, 11.21, 11.22 works unmodified from the discovery document by %s',
    async (builder) => {
      const { url, results } = await morning(builder)

      expect(results).toEqual({
        connections: expect.any(Number),
        inserted: ['Picnic – été', ALICE],
        patched: 'Park',
        fields: { items: [{ id: 'picnic0', start: { date: '2026-03-07' } }] },
        etag: true,
        pages: [2, 2],
        batchUri: `${url}/batch/calendar/v3`,
        batch: [
          ['first', 'lunch0'],
          ['a missing one', 404],
          ['a new one', 'c3a974c3a9'],
          ['last', ''],
        ],
        error: [404, 'Not Found'],
        long: [true, { items: [] }],
        deleted: '',
      })
      expect(results.connections).toBeGreaterThan(0)
    },
  )

  test('stays in the world of its token, batches included', async () => {
    const { fake, results } = await morning('build', { world: 'python' })

    expect(results.batch[0]).toEqual(['first', 'lunch0'])
    expect(fake.state().calendars?.flatMap(({ events }) => events)).toEqual([])
    const server = fake
      .world('python')
      .state()
      .calendars?.find(({ id }) => id === ALICE)
    expect(server?.events?.map(({ id }) => id)).toContain('lunch0')
  })

  test('11.21 builds oauth2 v2, and reads the account by both of its methods', async () => {
    const { fake } = openCalendar()
    const { url } = await fake.listen()
    const program = `
import json, sys
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
api = build("oauth2", "v2", credentials=Credentials("${ALICE}"), cache_discovery=False,
            discoveryServiceUrl=sys.argv[1] + "/discovery/v1/apis/{api}/{apiVersion}/rest")
print(json.dumps([api.userinfo().get().execute(), api.userinfo().v2().me().get().execute()]))`
    try {
      const { stdout } = await run(pathOf('python3 googleapiclient'), ['-c', program, url], { timeout: 25_000 })
      const [first, second] = JSON.parse(stdout)

      expect(first).toMatchObject({ id: expect.stringMatching(/^\d{21}$/), email: ALICE, verified_email: true })
      expect(second).toEqual(first)
    } finally {
      await fake.close()
    }
  })
})
