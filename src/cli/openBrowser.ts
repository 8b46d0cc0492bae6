import { spawn } from 'node:child_process'
import { describeStartError } from './output.ts'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

/** The browser outlives the command. If that fails, calls `report` later with one line. */
export function openInBrowser(url: string, report: (line: string) => void): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const reportFailure = (why: string) => report(`cannot open a browser: ${command} ${why}; open this address: ${url}`)
  // The shell of Windows takes an unquoted & for the end of the command.
  const address = process.platform === 'win32' ? `"${url}"` : url
  const reportStartError = (error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    reportFailure(isMissing ? 'is not installed' : `cannot be started: ${describeStartError(error)}`)
  }
  try {
    const options = { stdio: 'ignore', detached: true, windowsVerbatimArguments: true } as const
    const child = spawn(command, [...args, address], options)
    child.once('error', reportStartError)
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) reportFailure(`ended with ${code}`)
    })
    child.unref()
  } catch (error) {
    reportStartError(error)
  }
}
