import { vi } from 'vitest'
import { Store } from '../../src/db/store.ts'
import type { FakeCalendar } from '../../src/index.ts'

const dueIn = (store: Store | undefined) => [
  ...((store?.read('agenda') as ReadonlyMap<unknown, unknown> | undefined)?.keys() ?? []),
]

/** Returns everything that can be observed of a world, and its due actions. */
export function allOf(fake: FakeCalendar) {
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
    ...{ state: fake.state(), counters: { ...store?.counters }, agenda: dueIn(store) },
    ...{ clock: fake.clock.state(), changes: fake.changes(), diff: [...fake.diff()] },
    ...{ conferences: fake.conferences.state(), oauth: fake.oauth.state() },
    ...{ channels: fake.channels(), notifications: fake.notifications.list() },
    ...{ faults: fake.faults.list(), quota: fake.quota.state(), calls: fake.calls(), snapshots: fake.snapshots() },
  }
}

/** Returns the parts that differ. */
export const differencesOf = (after: ReturnType<typeof allOf>, before: ReturnType<typeof allOf>) =>
  Object.keys(before).filter(
    (part) => JSON.stringify(after[part as 'state']) !== JSON.stringify(before[part as 'state']),
  )
