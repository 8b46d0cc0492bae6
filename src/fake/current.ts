import type { AsyncLocalStorage } from 'node:async_hooks'
import type { FakeWorld } from './world.ts'

/** Loaded with the first world that runs something: a fake that runs nothing does not wait for it. */
let storage: AsyncLocalStorage<FakeWorld | undefined> | undefined

/**
 * Runs something in a world, or in none: what it and all that it starts send to the service is for that world, where it is
 * intercepted.
 */
export function runIn<T>(world: FakeWorld | undefined, act: () => T): T {
  if (!storage && !world) return act()
  if (!storage) {
    const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks')
    storage = new AsyncLocalStorage()
  }
  return storage.run(world, act)
}

/** The world that what runs at this moment runs in. */
export const currentWorld = (): FakeWorld | undefined => storage?.getStore()
