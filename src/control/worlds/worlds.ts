import type { Seed } from '../../seeds/schema/seed.ts'
import type { WorldStart } from '../../seeds/worldStart.ts'
import type { World } from './world.ts'

export interface Worlds {
  names(): string[]
  /** `after` and `last` are numbers of worlds. */
  listPage(after: number, maxResults: number): { names: string[]; last: number | undefined }
  find(name: string): World | undefined
  remove(name: string): void
  /** Throws `badWorldName` or `unknownWorld`. */
  rename(name: string, to: string): void
  /** Throws `badWorldName` or `unknownWorld`. */
  begin(name: string, start: WorldStart | readonly Seed[]): void
}
