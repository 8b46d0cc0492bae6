import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
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
  const folders = own === undefined ? [] : [join(own, 'ui'), join(own, '../../../dist/ui')]
  const hasPage = (folder: string) => existsSync(join(folder, 'index.html'))
  const installed = () => join(installedFolder() ?? '', 'dist/ui')
  return folders.find(hasPage) ?? [installed()].find(hasPage)
}

const NOT_BUNDLED =
  'The inspector is not in this bundle: leave fake-calendar external, or run where the package is installed.\n'

/** A file whose name holds a hash of its content never changes. */
const HASHED = /-[\w-]{8}\.\w+$/
const cacheControl = (name: string): string => (HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache')

/** A file of the package. Large files are stored with gzip. */
type File = { type: string; bytes: Buffer; isCompressed: boolean; etag: string; caching: string }
const files = new Map<string, File>()

/** Returns a file of the page by its name, or undefined. Files are read on first use. */
function findFile(name: string, folder: string): File | undefined {
  const known = files.get(name)
  if (known) return known
  const type = TYPES.get(extname(name))
  if (!type) return undefined
  const stored = readdirSync(folder).find((one) => one === name || one === `${name}.gz`)
  if (stored === undefined) return undefined
  const bytes = readFileSync(join(folder, stored))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const file = { type, bytes, isCompressed: stored !== name, etag, caching: cacheControl(name) }
  files.set(name, file)
  return file
}

/** Answers with the inspector's page and its files. They need no token, because they contain no data of a world. */
export function answerPage(context: RequestContext): Response {
  const { request, path, rootUrl, transport } = context
  requireOwnOrigin(context)
  if (path === '/_ui' && !new URL(request.url).pathname.endsWith('/'))
    return new Response(null, { status: 302, headers: { Location: `${rootUrl}_ui/` } })
  const folder = pageFolder()
  if (!folder)
    return new Response(NOT_BUNDLED, { status: 404, headers: { 'Content-Type': 'text/plain; charset=UTF-8' } })
  const file = findFile(path === '/_ui' ? 'index.html' : path.slice('/_ui/'.length), folder)
  if (!file) return notFoundPage()
  const headers = {
    ...{ ...HEADERS, 'Content-Type': file.type, Vary: 'Accept-Encoding' },
    ...{ ETag: file.etag, 'Cache-Control': file.caching },
  }
  if (request.headers.get('If-None-Match') === file.etag) return new Response(null, { status: 304, headers })
  // In process bodies are not compressed.
  const acceptsGzip = transport.peer !== undefined && /\bgzip\b/i.test(request.headers.get('Accept-Encoding') ?? '')
  if (file.isCompressed && acceptsGzip)
    return new Response(new Uint8Array(file.bytes), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  return new Response(new Uint8Array(file.isCompressed ? gunzipSync(file.bytes) : file.bytes), { headers })
}
