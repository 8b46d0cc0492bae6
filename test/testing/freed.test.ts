import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Server } from '../../src/server/server.ts'
import { ALICE, PEOPLE } from '../support/calendar.ts'

const CALLS = 10_000

/** Collects what nothing holds on to, also what was finished only in this turn. */
async function collected(gone: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  for (let round = 0; round < 20 && gone.deref(); round++) {
    await new Promise((resolve) => setImmediate(resolve))
    gc()
  }
  return gone.deref() === undefined
}

/** A world of whose journal and data nobody holds anything, once this is over. */
async function called(server: Server): Promise<WeakRef<object>> {
  const headers = { Authorization: `Bearer ${ALICE}` }
  for (let call = 0; call < CALLS; call++)
    await server.fetch(new Request('http://localhost/calendar/v3/users/me/settings/locale', { headers }), {
      named: 'w',
    })
  const { controls } = server.realm('w')
  expect(controls.journal.entries()).toHaveLength(CALLS)
  const waiting = server.fetch(new Request('http://localhost/_control/calls/stream'), { named: 'w' })
  await (await waiting).body?.cancel()
  return new WeakRef(controls.journal)
}

test('a world with 10,000 calls in its journal is freed with it', async () => {
  const server = new Server({ seeds: [PEOPLE], auth: { mode: 'open' }, webhooks: 'loopback', journal: CALLS })
  const journal = await called(server)
  server.remove('w')

  expect(await collected(journal)).toBe(true)
  await server.close()
})

/** What a snapshot alone still holds: the data of before a reset. */
function keptBy(server: Server, name?: string): { handle: object; data: WeakRef<object> } {
  const realm = server.realm('w')
  realm.seed({ calendars: [{ id: 'team', owner: ALICE, summary: 'Team' }] })
  const handle = realm.snapshot(name)
  const data = new WeakRef(realm.snapshots.get(handle).picture)
  realm.reset()
  return { handle, data }
}

test('a snapshot without a name is freed with its handle, and one that has a name once it is deleted', async () => {
  const server = new Server({ seeds: [PEOPLE], auth: { mode: 'open' }, webhooks: 'loopback' })
  const held = keptBy(server)
  const loose = keptBy(server).data
  const named = keptBy(server, 'before').data

  expect(await collected(loose)).toBe(true)
  expect(held.data.deref()).toBe(server.realm('w').snapshots.get(held.handle as never).picture)
  expect(named.deref()).toBeDefined()
  server.realm('w').snapshots.delete('before')
  expect(await collected(named)).toBe(true)
  await server.close()
})
