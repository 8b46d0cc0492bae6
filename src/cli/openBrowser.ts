import { spawn } from 'node:child_process'

/** Commands that open an address in a browser. `start` takes a first quoted word as a title. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens an address in a browser, which outlives the command. Reports a failure in one line. */
export function openInBrowser(url: string, report: (line: string) => void): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const cannot = (why: string) => report(`cannot open a browser: ${command} ${why}; the inspector is at ${url}`)
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
  child.once('error', (error) =>
    cannot((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : error.message),
  )
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) cannot(`ended with ${code}`)
  })
  child.unref()
}
