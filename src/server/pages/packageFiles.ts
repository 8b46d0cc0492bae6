import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'

const TYPES = new Map([
  ['.html', 'text/html; charset=UTF-8'],
  ['.js', 'text/javascript; charset=UTF-8'],
  ['.css', 'text/css; charset=UTF-8'],
])

/** A built file of the package for browsers. `type` is its media type. Large files are stored with gzip. */
export type PackageFile = { type: string; bytes: Buffer; isCompressed: boolean; etag: string }
const files = new Map<string, PackageFile>()

/** Undefined if a bundler made an ES module of CommonJS, where `__dirname` is not defined. */
function findOwnFolder(): string | undefined {
  try {
    return import.meta.dirname
  } catch {
    return undefined
  }
}

/** A bundle of an application serves the files of the package that is installed for the working directory. */
function findInstalledFolder(): string | undefined {
  try {
    return dirname(createRequire(join(process.cwd(), 'package.json')).resolve('fake-calendar/package.json'))
  } catch {
    return undefined
  }
}

/** The folder beside the package's code, in `dist` of the source, or in the installed package. */
export function findPackageFolder(name: 'ui' | 'pageScripts'): string | undefined {
  const own = findOwnFolder()
  const folders = own === undefined ? [] : [join(own, name), join(own, '../../../dist', name)]
  const installed = () => join(findInstalledFolder() ?? '', 'dist', name)
  return folders.find(existsSync) ?? [installed()].find(existsSync)
}

/** Undefined for a type that TYPES lacks. Reads a file once. */
export function findPackageFile(folder: string, name: string): PackageFile | undefined {
  const path = join(folder, name)
  const known = files.get(path)
  if (known) return known
  const type = TYPES.get(extname(name))
  if (!type) return undefined
  const stored = readdirSync(folder).find((one) => one === name || one === `${name}.gz`)
  if (stored === undefined) return undefined
  const bytes = readFileSync(join(folder, stored))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const file = { type, bytes, isCompressed: stored !== name, etag }
  files.set(path, file)
  return file
}

/** `what` is a subject with its verb: `The scripts are`. */
export const createNotBundledResponse = (what: string): Response =>
  new Response(`${what} not in this bundle: leave fake-calendar external, or run where the package is installed.\n`, {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
  })
