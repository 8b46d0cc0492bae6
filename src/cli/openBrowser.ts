import { spawn } from 'node:child_process'

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
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
  child.once('error', (error) =>
    reportFailure((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not installed' : error.message),
  )
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) reportFailure(`ended with ${code}`)
  })
  child.unref()
}
