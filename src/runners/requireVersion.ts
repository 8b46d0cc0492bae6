import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Throws an Error in one line if the package `name` of the project is older than a major version. `entry` is the entry of this
 * package that needs it, and `from` the files from which it is resolved. A package that is not installed is no error. Peer
 * ranges cannot do this: npm refuses to install beside a version outside of them, even if the entry is not used.
 */
export function requireVersion(entry: string, name: string, major: number, from = listResolutionBases()): void {
  const version = from.map((file) => findVersion(name, file)).find((found) => found !== undefined)
  if (version !== undefined && Number.parseInt(version, 10) < major)
    throw new Error(`fake-calendar/${entry} needs ${name} ${major} or later, and this is ${version}`)
}

/** The project, then this package, whose file is unknown in a bundle. */
export function listResolutionBases(): string[] {
  const project = join(process.cwd(), 'package.json')
  try {
    return [project, import.meta.url]
  } catch {
    return [project]
  }
}

function findVersion(name: string, from: string): string | undefined {
  try {
    return createRequire(from)(`${name}/package.json`).version
  } catch {
    return undefined
  }
}
