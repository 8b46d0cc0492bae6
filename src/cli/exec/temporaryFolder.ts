import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../commandError.ts'
import { describeFileError } from '../output.ts'

/** The path of a folder, and the function that removes it with its files. */
export type TemporaryFolder = { path: string; remove(): void }

/**
 * Creates a folder that only this user can read. It is removed when the process exits. If it cannot be created, throws a
 * CommandError if it is required, and else returns undefined.
 */
export function openTemporaryFolder(how: { isRequired: true }): TemporaryFolder
export function openTemporaryFolder(how: { isRequired: boolean }): TemporaryFolder | undefined
export function openTemporaryFolder({ isRequired }: { isRequired: boolean }): TemporaryFolder | undefined {
  try {
    const path = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
    const remove = () => {
      process.off('exit', remove)
      rmSync(path, { recursive: true, force: true })
    }
    process.on('exit', remove)
    return { path, remove }
  } catch (error) {
    if (!isRequired) return undefined
    throw new CommandError(
      `${tmpdir()}: cannot write temporary files: ${describeFileError(error)} (set TMPDIR to use another folder)`,
    )
  }
}
