import type { ScriptPath } from '../../schema/scriptPaths.ts'
import { createNotBundledResponse, findPackageFile, findPackageFolder } from './packageFiles.ts'

const NOTE = '// A replacement of a script of the calendar service, by fake-calendar. No data here is real.\n'

const FILES: Record<ScriptPath, string> = {
  '/js/api.js': 'api.iife.js',
  '/js/client.js': 'api.iife.js',
  '/gsi/client': 'gsi.iife.js',
}

/** 404 with advice if it was not built. */
export function answerScript(path: ScriptPath): Response {
  const folder = findPackageFolder('pageScripts')
  const file = folder === undefined ? undefined : findPackageFile(folder, FILES[path])
  if (!file) return createNotBundledResponse('The scripts are')
  return new Response(NOTE + file.bytes, {
    headers: {
      'Content-Type': file.type,
      'Cache-Control': 'private, max-age=0, must-revalidate, no-transform',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
