import type { Asked } from './asked.ts'

/** What a fault does to one request. */
export type Fate = { readonly fault: string }

/** What fails on cue in a world. */
export class Faults {
  /** Nothing is planned: every request asks. */
  get none(): boolean {
    return true
  }

  /** What the first fault that fires does to a request. */
  meet(_asked: Asked): Fate | undefined {
    return undefined
  }

  clear(): void {}
}
