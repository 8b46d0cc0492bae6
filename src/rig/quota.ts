import type { Asked } from './asked.ts'

/** How much may be asked of a world in a minute of its clock: anything, unless a test author says otherwise. */
export class Quota {
  /** Counts a request, or refuses it where there were too many. */
  spend(_asked: Asked): void {}

  clear(): void {}
}
