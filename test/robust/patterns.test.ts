import { expect, onTestFinished, test } from 'vitest'
import { launch, type Started } from '../support/command.ts'

/** JavaScript would take years for it. */
const PATTERN = { matches: '^/calendar/v3/(a+)+$' }
const DEADLINE_MS = 20_000

test('a pattern with nested repeats does not stop the server', async () => {
  const { printed, stop, kill } = launch(['--port', '0', '--json'])
  onTestFinished(() => void kill('SIGKILL'))
  const { url } = JSON.parse(await printed(/\n$/)) as Started
  const request = async (path: string, body?: object) => {
    const reply = await fetch(`${url}${path}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    return { status: reply.status, body: await reply.text() }
  }
  const long = `/calendar/v3/${'a'.repeat(3000)}!`
  await request(`${long}?key=any`)
  await request('/_control/snapshots', { name: 'before' })
  const where = { path: PATTERN }

  const found = await request(`/_control/calls?where=${encodeURIComponent(JSON.stringify(where))}`)
  expect(JSON.parse(found.body)).toMatchObject({ calls: [] })
  const calls = await request('/_control/calls/verify', { method: '*', where, times: 0 })
  expect(calls.status).toBe(200)
  const summary = `${'a'.repeat(3000)}!`
  await request('/_control/seed', {
    accounts: [{ email: 'alice@example.com' }],
    calendars: [{ id: 'team@example.com', summary, owner: 'alice@example.com' }],
  })
  const expected = [{ title: { matches: '^(a+)+$' } }]
  expect((await request('/_control/diff/verify', { since: 'before', expected })).status).toBe(417)
  const params = { q: { matches: '^(a+)+$' } }
  expect(
    await request('/_control/faults', { on: '*', do: { fail: 'rateLimitExceeded' }, where: { params } }),
  ).toMatchObject({ status: 200 })
  expect((await request(`/calendar/v3/colors?key=any&q=${summary}`)).status).toBe(200)
  expect((await stop('SIGTERM')).code).toBe(0)
})
