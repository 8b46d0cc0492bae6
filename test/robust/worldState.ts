import { vi } from 'vitest'
import { Store } from '../../src/db/store.ts'
import type { FakeCalendar } from '../../src/index.ts'

/** Returns the keys of the tasks that are scheduled on the clock of a store. */
const listDueTasks = (store: Store | undefined) => [
  ...((store?.read('agenda') as ReadonlyMap<unknown, unknown> | undefined)?.keys() ?? []),
]

/** Returns everything that can be observed of the default world, and its scheduled tasks. Changes nothing. */
export function captureWorld(fake: FakeCalendar) {
  const stores: Store[] = []
  const { transaction } = Store.prototype
  const spy = vi.spyOn(Store.prototype, 'transaction').mockImplementation(function (this: Store, act) {
    stores.push(this)
    return transaction.call(this, act) as never
  })
  fake.health()
  spy.mockRestore()
  const [store] = stores
  return {
    worlds: fake.worlds(),
    ...{ state: fake.state(), counters: { ...store?.counters }, agenda: listDueTasks(store) },
    ...{ clock: fake.clock.state(), changes: fake.changes(), diff: [...fake.diff()] },
    ...{ conferences: fake.conferences.state(), oauth: fake.oauth.state() },
    ...{ channels: fake.channels(), notifications: fake.notifications.list() },
    ...{ faults: fake.faults.list(), quota: fake.quota.state(), calls: fake.calls(), snapshots: fake.snapshots() },
  }
}

/** Returns the names of the parts that differ between two captured states, compared as JSON. */
export const listDifferences = (after: ReturnType<typeof captureWorld>, before: ReturnType<typeof captureWorld>) =>
  Object.keys(before).filter(
    (part) => JSON.stringify(after[part as 'state']) !== JSON.stringify(before[part as 'state']),
  )
