import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
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
}

/** Where the package keeps the page: beside the bundle, or as the source runs in what was built of it. */
const FOLDERS = ['ui', '../../dist/ui'].map((path) => join(import.meta.dirname, path))

/** A file whose name holds a hash of its content never changes. */
const HASHED = /-[\w-]{8}\.\w+$/
const cacheControl = (name: string): string => (HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache')

/** A file of the page. Large files are stored compressed. */
type File = { type: string; bytes: Buffer; packed: boolean; etag: string; caching: string }
const files = new Map<string, File>()

/** A file of the page by its name, which is one of those that there are; read when it is first asked for. */
function fileOf(name: string): File | undefined {
  const known = files.get(name)
  if (known) return known
  const type = TYPES.get(extname(name))
  const folder = FOLDERS.find((path) => existsSync(join(path, 'index.html')))
  if (!type || !folder) return undefined
  const held = readdirSync(folder).find((one) => one === name || one === `${name}.gz`)
  if (held === undefined) return undefined
  const bytes = readFileSync(join(folder, held))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const file = { type, bytes, packed: held !== name, etag, caching: cacheControl(name) }
  files.set(name, file)
  return file
}

/** The inspector's page and its files. They show nothing of a world, so that the page is read without the token. */
export function answerPage(request: Request, { path, rootUrl, way, house }: Entered): Response {
  requireOwn(request, house.options, way.peer)
  if (path === '/_ui' && !new URL(request.url).pathname.endsWith('/'))
    return new Response(null, { status: 302, headers: { Location: `${rootUrl}_ui/` } })
  const file = fileOf(path === '/_ui' ? 'index.html' : path.slice('/_ui/'.length))
  if (!file) return notFoundPage()
  const headers = {
    ...{ ...HEADERS, 'Content-Type': file.type, Vary: 'Accept-Encoding' },
    ...{ ETag: file.etag, 'Cache-Control': file.caching },
  }
  if (request.headers.get('If-None-Match') === file.etag) return new Response(null, { status: 304, headers })
  // Compression belongs to the socket: in process a body comes as it is.
  const asIs = way.peer !== undefined && /\bgzip\b/i.test(request.headers.get('Accept-Encoding') ?? '')
  if (file.packed && asIs)
    return new Response(new Uint8Array(file.bytes), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  return new Response(new Uint8Array(file.packed ? gunzipSync(file.bytes) : file.bytes), { headers })
}
