import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../commandError.ts'
import { describeFileError } from '../output.ts'

export type TemporaryFolder = { path: string; remove(): void }

/**
 * Only this user can read it. It is removed when the process exits. If it cannot be created, throws if it is required, else
 * returns undefined.
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
