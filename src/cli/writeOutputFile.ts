import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandError } from './commandError.ts'
import { describeFileError } from './output.ts'

export function writeOutputFile(file: string, text: string, label: string = file): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new CommandError(`${label}: cannot be written: ${describeFileError(error)}`)
  }
}

/** Call it before work that takes long. Throws a CommandError that begins with `label`. */
export function requireWritable(file: string, label: string): void {
  const folder = dirname(resolve(file))
  const findProblem = () => {
    if (!existsSync(folder)) return 'there is no such folder'
    if (existsSync(file) && statSync(file).isDirectory()) return 'this is a folder'
    try {
      accessSync(existsSync(file) ? file : folder, constants.W_OK)
    } catch {
      return 'writing it is not permitted'
    }
  }
  const problem = findProblem()
  if (problem) throw new CommandError(`${label}: ${problem}`)
}
