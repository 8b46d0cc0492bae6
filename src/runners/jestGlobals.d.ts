/** The parts of `@jest/globals` that the entry uses. It is not installed here, and comes with the Jest of a project. */
declare module '@jest/globals' {
  type Declare = (name: string, body: () => Promise<void>, timeout?: number) => void

  export const expect: { extend(matchers: object): void; getState(): { currentTestName?: string } }
  export const test: Declare & {
    only: Declare
    skip: Declare
    failing: Declare
    concurrent: Declare
    todo(name: string): void
    each<C>(cases: readonly (readonly [C])[]): (name: string, body: (one: C) => Promise<void>, timeout?: number) => void
  }
}

/** Jest declares its matchers here. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
