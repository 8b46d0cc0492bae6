import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TYPES = `import type { RequestHandler } from 'msw'
import type { FakeWorld } from './index.cjs'

/**
 * Returns handlers of msw 2 by which a fake, one of its worlds, or a server at an address answers requests to Calendar and
 * OAuth: for \`setupServer\` of \`msw/node\`, and with an address also for \`setupWorker\` in a browser. All other requests,
 * those to other services of Google included, pass to the next handler.
 */
export declare function handlers(fake: FakeWorld | string | URL): RequestHandler[]
`

/** Declares the handlers with the types of the package: written from their source they would hold a copy of them. */
export function handlersTypes({ name }: { name: string }) {
  return {
    name: 'handlers-types',
    writeBundle({ dir = 'dist' }: { dir?: string }) {
      for (const ending of ['d.ts', 'd.cts']) writeFileSync(join(dir, `${name}.${ending}`), TYPES)
    },
  }
}
