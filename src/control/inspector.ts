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
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
}

/** Where the package keeps the page: beside the bundle, or as the source runs in what was built of it. */
const FOLDERS = ['ui', '../../dist/ui'].map((path) => join(import.meta.dirname, path))

/** A file as the package keeps it, which is as gzip. */
type File = { type: string; packed: Buffer }
const files = new Map<string, File>()

/** A file of the page by its name, which is one of those that there are; read when it is first asked for. */
function fileOf(name: string): File | undefined {
  const known = files.get(name)
  if (known) return known
  const type = TYPES.get(extname(name))
  const folder = FOLDERS.find((path) => existsSync(join(path, 'index.html.gz')))
  if (!type || !folder || !readdirSync(folder, { recursive: true, encoding: 'utf8' }).includes(`${name}.gz`))
    return undefined
  const file = { type, packed: readFileSync(join(folder, `${name}.gz`)) }
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
  const headers = { ...HEADERS, 'Content-Type': file.type }
  if (!/\bgzip\b/.test(request.headers.get('Accept-Encoding') ?? ''))
    return new Response(new Uint8Array(gunzipSync(file.packed)), { headers })
  return new Response(new Uint8Array(file.packed), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
}
