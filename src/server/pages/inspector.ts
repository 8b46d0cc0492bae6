import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { requireOwnOrigin } from '../checks/requireTrusted.ts'
import { notFoundPage } from '../errors.ts'
import type { RequestContext } from '../requestContext.ts'

const TYPES = new Map([
  ['.html', 'text/html; charset=UTF-8'],
  ['.js', 'text/javascript; charset=UTF-8'],
  ['.css', 'text/css; charset=UTF-8'],
])

/** The page loads nothing from elsewhere, runs only scripts from its own files, and cannot be framed. */
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

/** The folder of the built page: beside the bundle, or in `dist` if the source runs. */
const FOLDERS = ['ui', '../../../dist/ui'].map((path) => join(import.meta.dirname, path))

/** A file of the package. Large files are stored with gzip. */
type File = { type: string; bytes: Buffer; isCompressed: boolean }
const files = new Map<string, File>()

/** Returns a file of the page by its name, or undefined. Files are read on first use. */
function findFile(name: string): File | undefined {
  const known = files.get(name)
  if (known) return known
  const type = TYPES.get(extname(name))
  const folder = FOLDERS.find((path) => existsSync(join(path, 'index.html')))
  if (!type || !folder) return undefined
  const stored = readdirSync(folder).find((one) => one === name || one === `${name}.gz`)
  if (stored === undefined) return undefined
  const file = { type, bytes: readFileSync(join(folder, stored)), isCompressed: stored !== name }
  files.set(name, file)
  return file
}

/** Answers with the inspector's page and its files. They need no token, because they contain no data of a world. */
export function answerPage(context: RequestContext): Response {
  const { request, path, rootUrl, transport } = context
  requireOwnOrigin(context)
  if (path === '/_ui' && !new URL(request.url).pathname.endsWith('/'))
    return new Response(null, { status: 302, headers: { Location: `${rootUrl}_ui/` } })
  const file = findFile(path === '/_ui' ? 'index.html' : path.slice('/_ui/'.length))
  if (!file) return notFoundPage()
  const headers = { ...HEADERS, 'Content-Type': file.type, Vary: 'Accept-Encoding' }
  // In process bodies are not compressed.
  const acceptsGzip = transport.peer !== undefined && /\bgzip\b/i.test(request.headers.get('Accept-Encoding') ?? '')
  if (file.isCompressed && acceptsGzip)
    return new Response(new Uint8Array(file.bytes), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  return new Response(new Uint8Array(file.isCompressed ? gunzipSync(file.bytes) : file.bytes), { headers })
}
