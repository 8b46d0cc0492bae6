import { getSystemErrorMap } from 'node:util'
import { shortenLine } from '../schema/values/shownText.ts'
import { CommandError } from './commandError.ts'

export function printError(line: string): void {
  process.stderr.write(`fake-calendar: ${shortenLine(line)}\n`)
}

/**
 * A command continues if its output is closed, as in `fake-calendar --help
 * true`. Any other error of stdout, such as a full disk, is one line on stderr, and exit code 1 unless one is set. Errors of
 * stderr are ignored, and with `isServer` all are. Replaces other error listeners of both streams.
 */
export function tolerateClosedOutputs({ isServer = false }: { isServer?: boolean } = {}): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
      if (isServer || error.code === 'EPIPE' || stream === 'stderr') return
      if (process.exitCode === undefined || process.exitCode === 0) process.exitCode = 1
      printError(`standard output: cannot be written: ${describeFileError(error)}`)
    })
  }
}

const FILE_ERRORS: Record<string, string> = {
  EACCES: 'permission denied',
  EFBIG: 'the file is larger than the limit for files',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'the file system is read-only',
}

export function describeFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (code && FILE_ERRORS[code]) ?? code ?? (error instanceof Error ? error.message : String(error))
}

const START_ERRORS: Record<string, string> = {
  ENOENT: 'there is no such command',
  EACCES: 'running it is not permitted',
}

/** Describes an error of `spawn`, which throws some and emits others. */
export function describeStartError(error: unknown): string {
  const { code = '', errno = 0, message } = error as NodeJS.ErrnoException
  return START_ERRORS[code] ?? getSystemErrorMap().get(errno)?.[1] ?? message
}

export async function reportErrors(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printError(error.message)
    process.exitCode = error.code
  }
}
