import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { notFoundPage } from '../http/errors.ts'
import type { Place, Way } from '../http/place.ts'
import { type Guard, requireOwn } from './guard.ts'

type Entered = Pick<Place, 'path' | 'rootUrl'> & { way: Pick<Way, 'peer'>; house: { options: Guard } }

const TYPES = new Map([
  ['.html', 'text/html; charset=UTF-8'],
  ['.js', 'text/javascript; charset=UTF-8'],
  ['.css', 'text/css; charset=UTF-8'],
])

/** The page takes nothing from elsewhere, runs no script that is not a file of its own, and stands in no other page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

/** The folder of this file: none if a bundler made an ES module of CommonJS, where `__dirname` is not defined. */
function ownFolder(): string | undefined {
  try {
    return import.meta.dirname
  } catch {
    return undefined
  }
}

/** The folder of the installed package, from which a bundle of an application serves the page. */
function installedFolder(): string | undefined {
  try {
    return dirname(createRequire(join(process.cwd(), 'package.json')).resolve('fake-calendar/package.json'))
  } catch {
    return undefined
  }
}

/** Returns the folder of the built page: beside the package's code, in `dist` of the source, or in the installed package. */
function pageFolder(): string | undefined {
  const own = ownFolder()
  const folders = own === undefined ? [] : [join(own, 'ui'), join(own, '../../dist/ui')]
  const hasPage = (folder: string) => existsSync(join(folder, 'index.html'))
  const installed = () => join(installedFolder() ?? '', 'dist/ui')
  return folders.find(hasPage) ?? [installed()].find(hasPage)
}

const NOT_BUNDLED =
  'The inspector is not in this bundle: leave fake-calendar external, or run where the package is installed.\n'

/** A file as the package has it: large ones are compressed. */
type File = { type: string; bytes: Buffer; packed: boolean }
const files = new Map<string, File>()

/** A file of the page by its name, which is one of those that there are; read when it is first asked for. */
function fileOf(name: string, folder: string): File | undefined {
  const known = files.get(name)
  if (known) return known
  const type = TYPES.get(extname(name))
  if (!type) return undefined
  const held = readdirSync(folder).find((one) => one === name || one === `${name}.gz`)
  if (held === undefined) return undefined
  const file = { type, bytes: readFileSync(join(folder, held)), packed: held !== name }
  files.set(name, file)
  return file
}

/** The inspector's page and its files. They show nothing of a world, so that the page is read without the token. */
export function answerPage(request: Request, { path, rootUrl, way, house }: Entered): Response {
  requireOwn(request, house.options, way.peer)
  if (path === '/_ui' && !new URL(request.url).pathname.endsWith('/'))
    return new Response(null, { status: 302, headers: { Location: `${rootUrl}_ui/` } })
  const folder = pageFolder()
  if (!folder)
    return new Response(NOT_BUNDLED, { status: 404, headers: { 'Content-Type': 'text/plain; charset=UTF-8' } })
  const file = fileOf(path === '/_ui' ? 'index.html' : path.slice('/_ui/'.length), folder)
  if (!file) return notFoundPage()
  const headers = { ...HEADERS, 'Content-Type': file.type, Vary: 'Accept-Encoding' }
  // Compression belongs to the socket: in process a body comes as it is.
  const asIs = way.peer !== undefined && /\bgzip\b/i.test(request.headers.get('Accept-Encoding') ?? '')
  if (file.packed && asIs)
    return new Response(new Uint8Array(file.bytes), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  return new Response(new Uint8Array(file.packed ? gunzipSync(file.bytes) : file.bytes), { headers })
}
