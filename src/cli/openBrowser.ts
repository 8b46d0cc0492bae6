import { spawn } from 'node:child_process'

/** What opens an address in the browser of whoever is at the machine. `start` takes a quoted word for a title, so it gets one. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens an address in a browser, which outlives the command. Where there is none to open it in, that is told in a line. */
export function openInBrowser(url: string, tell: (line: string) => void): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const cannot = (why: string) => tell(`cannot open a browser: ${command} ${why}; the inspector is at ${url}`)
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
  child.once('error', (error) =>
    cannot((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : error.message),
  )
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) cannot(`ended with ${code}`)
  })
  child.unref()
}
