import type { Realm } from './realm.ts'

/** Which realm stands behind what a program holds as a world. */
const behind = new WeakMap<object, () => Realm>()

/** Remembers what an object stands for, and returns it. */
export function standingFor<T extends object>(handle: T, realm: () => Realm): T {
  behind.set(handle, realm)
  return handle
}

export const realmBehind = (handle: object): Realm | undefined => behind.get(handle)?.()
