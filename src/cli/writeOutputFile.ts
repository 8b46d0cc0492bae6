import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandError } from './commandError.ts'

/** Writes a file whole or not at all: by a name of its own in the same folder, which then becomes the file's. */
export function writeWhole(name: string, text: string): void {
  const { file, mode } = meant(name)
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    writeFileSync(beside, text, { mode })
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CommandError(`${name}: it cannot be written: ${code}`)
  }
}

/** The file behind a link, which stays one, and who may read it. */
function meant(name: string): { file: string; mode: number } {
  try {
    const file = realpathSync(name)
    return { file, mode: statSync(file).mode }
  } catch {
    return { file: name, mode: 0o666 }
  }
}
