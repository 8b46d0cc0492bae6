import type { World } from './world.ts'

/** The property of a handle that returns its world. A WeakMap would keep handle and world until its next full collection. */
const WORLD = Symbol('world')

/** Attaches a world to a handle, and returns the handle. */
export const attachWorld = <T extends object>(handle: T, world: () => World): T =>
  Object.defineProperty(handle, WORLD, { value: world })

/** Returns the world that is attached to a handle. */
export const findAttachedWorld = (handle: object): World | undefined => (handle as { [WORLD]?: () => World })[WORLD]?.()
