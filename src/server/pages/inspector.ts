import { gunzipSync } from 'node:zlib'
import { notFoundPage } from '../../http/errors.ts'
import { requireOwnOrigin } from '../checks/requireTrusted.ts'
import type { RequestContext } from '../requestContext.ts'
import { createNotBundledResponse, findPackageFile, findPackageFolder } from './packageFiles.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
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

/** A file whose name holds a hash of its content never changes. */
const HASHED = /-[\w-]{8}\.\w+$/
const toCacheControl = (name: string): string =>
  HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'

/** Needs no token, because the files contain no data of a world. Throws 403 if another site or machine calls. */
export function answerPage(context: RequestContext): Response {
  const { request, path, rootUrl, transport } = context
  requireOwnOrigin(context)
  if (path === '/_ui' && !new URL(request.url).pathname.endsWith('/'))
    return new Response(null, { status: 302, headers: { Location: `${rootUrl}_ui/` } })
  const folder = findPackageFolder('ui')
  if (!folder) return createNotBundledResponse('The inspector is')
  const name = path === '/_ui' ? 'index.html' : path.slice('/_ui/'.length)
  const file = findPackageFile(folder, name)
  if (!file) return notFoundPage()
  const headers = {
    ...{ ...HEADERS, 'Content-Type': file.type, Vary: 'Accept-Encoding' },
    ...{ ETag: file.etag, 'Cache-Control': toCacheControl(name) },
  }
  if (request.headers.get('If-None-Match') === file.etag) return new Response(null, { status: 304, headers })
  const acceptsGzip = transport.peer !== undefined && /\bgzip\b/i.test(request.headers.get('Accept-Encoding') ?? '')
  if (file.isCompressed && acceptsGzip)
    return new Response(new Uint8Array(file.bytes), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  return new Response(new Uint8Array(file.isCompressed ? gunzipSync(file.bytes) : file.bytes), { headers })
}
