import { SeedError } from '../seeds/seedError.ts'
import { createStartFromSeeds } from '../seeds/worldStart.ts'
import type { Server } from '../server/server.ts'
import { CommandError, summarizeProblems } from './commandError.ts'
import { printError } from './output.ts'
import { replaceOutputFile, requireReplaceable } from './writeOutputFile.ts'

const SAVE_INTERVAL_MS = 60_000

/**
 * Begins the home world with the state of a file, if there is one, in place of the seeds and of `now`. Throws a CommandError for
 * a file that is no state of this version, or that could not be replaced.
 */
export async function loadState(server: Server, file: string): Promise<void> {
  requireReplaceable(file, `--state: ${file}`)
  const { readStateFile } = await import('./seeds/seedFile.ts')
  const state = readStateFile(file)
  if (!state) return
  const { conferences: policy } = server.options
  try {
    server.begin(server.home, createStartFromSeeds({ seeds: [state], now: undefined, policy }))
  } catch (error) {
    if (error instanceof SeedError) throw new CommandError(summarizeProblems(`--state: ${file}`, error.message))
    throw new CommandError(
      `--state: ${file}: cannot create a world because of an internal error; please report it: ${error}`,
    )
  }
}

/**
 * Saves the state of the home world to the file every minute of real time. Returns the function that does it for the last time,
 * which returns false if the file could not be written.
 */
export function keepState(server: Server, file: string | undefined): () => boolean {
  if (file === undefined) return () => true
  const save = (): string | undefined => {
    try {
      const state = server.world(server.home).state()
      replaceOutputFile(file, `${JSON.stringify(state, null, 2)}\n`, `--state: ${file}`)
      return undefined
    } catch (error) {
      if (error instanceof CommandError) return error.message
      throw error
    }
  }
  let problem: string | undefined
  const timer = setInterval(() => {
    const found = save()
    if (found !== undefined && found !== problem) printError(found)
    problem = found
  }, SAVE_INTERVAL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    const found = save()
    if (found !== undefined) printError(found)
    return found === undefined
  }
}
