import type { AsyncLocalStorage } from 'node:async_hooks'
import type { FakeWorld } from './types/world.ts'

/** Loaded with the first `runWithWorld`, because importing it would delay every start. */
let storage: AsyncLocalStorage<FakeWorld | undefined> | undefined

/** Runs a function in a world, or in none. Intercepted requests of all that it starts go to that world. */
export function runWithWorld<T>(world: FakeWorld | undefined, act: () => T): T {
  if (!storage && !world) return act()
  if (!storage) {
    const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks')
    storage = new AsyncLocalStorage()
  }
  return storage.run(world, act)
}

export const currentWorld = (): FakeWorld | undefined => storage?.getStore()
