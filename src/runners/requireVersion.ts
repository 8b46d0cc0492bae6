import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Throws an Error in one line if a project's package is older than a major version. Peer ranges cannot do this: npm
 * refuses to install beside a version outside of them, even if the entry is not used.
 */
export function requireVersion(entry: string, name: string, major: number, from = entryPoints()): void {
  const version = from.map((file) => versionOf(name, file)).find((found) => found !== undefined)
  if (version !== undefined && Number.parseInt(version, 10) < major)
    throw new Error(`fake-calendar/${entry} needs ${name} ${major} or later, and this is ${version}`)
}

/** The files from which packages are resolved: the project's first, then this package's, which is unknown in a bundle. */
export function entryPoints(): string[] {
  const project = join(process.cwd(), 'package.json')
  try {
    return [project, import.meta.url]
  } catch {
    return [project]
  }
}

function versionOf(name: string, from: string): string | undefined {
  try {
    return createRequire(from)(`${name}/package.json`).version
  } catch {
    return undefined
  }
}
