import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from './commandError.ts'
import { describeFileError } from './output.ts'

const CANNOT_REPLACE = ['EACCES', 'EBUSY', 'EPERM', 'EROFS', 'EXDEV']

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * A regular file is replaced atomically: after a failure it is unchanged, and no other file remains. A symbolic link is kept, and
 * its target is written. Devices, pipes and files with several names are written in place.
 */
export function writeOutputFile(file: string, text: string, label: string = file): void {
  withLabel(label, () => {
    const target = findReplaceable(file)
    if (target === undefined) return writeInPlace(file, text)
    try {
      replaceFile(target, text)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!target.stats || !CANNOT_REPLACE.includes(code)) throw error
      // The folder does not allow a new file, but the file may still be written.
      writeInPlace(file, text)
    }
  })
}

/**
 * Replaces a regular file, or creates it: after a failure it is as it was, and no other file remains. A symbolic link is kept,
 * and its target is replaced.
 */
export function replaceOutputFile(file: string, text: string, label: string): void {
  withLabel(label, () => {
    const stats = statSync(file, { throwIfNoEntry: false })
    replaceFile({ path: stats ? realpathSync(file) : file, stats }, text)
  })
}

function withLabel(label: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new CommandError(`${label}: cannot be written: ${describeFileError(error)}`)
  }
}

/** Call it before the first `replaceOutputFile`. Throws a CommandError that begins with `label`. */
export function requireReplaceable(file: string, label: string): void {
  requireWritable(file, label)
  if (existsSync(file) ? !statSync(file).isFile() : isSymbolicLink(file))
    throw new CommandError(`${label}: this is no regular file`)
  requireWritable(dirname(existsSync(file) ? realpathSync(file) : resolve(file)), label, { isFolder: true })
}

/** Call it before work that takes long. Throws a CommandError that begins with `label`. */
export function requireWritable(file: string, label: string, { isFolder = false } = {}): void {
  const folder = dirname(resolve(file))
  const findProblem = () => {
    if (!existsSync(folder)) return 'there is no such folder'
    if (!isFolder && existsSync(file) && statSync(file).isDirectory()) return 'this is a folder'
    try {
      accessSync(existsSync(file) ? file : folder, constants.W_OK)
    } catch {
      return 'writing it is not permitted'
    }
  }
  const problem = findProblem()
  if (problem) throw new CommandError(`${label}: ${problem}`)
}

type Replaceable = { path: string; stats: Stats | undefined }

/** Undefined if the file must be written in place. */
function findReplaceable(file: string): Replaceable | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return isSymbolicLink(file) ? undefined : { path: file, stats }
  const path = stats.isFile() ? realpathSync(file) : undefined
  if (path === undefined || stats.nlink > 1 || /^\/(dev|proc)\//.test(file)) return undefined
  return { path, stats }
}

const isSymbolicLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** In a container, every process may have the id of one that was killed while it wrote. */
function replaceFile({ path, stats }: Replaceable, text: string): void {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  rmSync(beside, { force: true })
  try {
    writeDurably(beside, text)
    if (stats) copyOwnerAndMode(beside, stats)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/**
 * A pipe blocks the process until it is read, so meanwhile signals end the process and are not passed to listeners, which could
 * not run.
 */
function writeInPlace(file: string, text: string): void {
  const listeners = ENDING_SIGNALS.map((signal) => [signal, process.rawListeners(signal)] as const)
  for (const signal of ENDING_SIGNALS) process.removeAllListeners(signal)
  try {
    writeFileSync(file, text)
  } finally {
    for (const [signal, all] of listeners) for (const one of all) process.on(signal, one as NodeJS.SignalsListener)
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'wx')
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function copyOwnerAndMode(file: string, { uid, gid, mode }: Stats): void {
  const own = statSync(file)
  if (own.uid !== uid || own.gid !== gid) chownSync(file, uid, gid)
  chmodSync(file, mode)
}
