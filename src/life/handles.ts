import type { Realm } from './realm.ts'

/** Under which an object holds what it stands for. A look-up beside it would keep both until all is cleaned up. */
const BEHIND = Symbol('behind')

/** Has an object stand for a realm, and returns it. */
export const standingFor = <T extends object>(handle: T, realm: () => Realm): T =>
  Object.defineProperty(handle, BEHIND, { value: realm })

/** Which realm stands behind what a program holds as a world. */
export const realmBehind = (handle: object): Realm | undefined => (handle as { [BEHIND]?: () => Realm })[BEHIND]?.()
