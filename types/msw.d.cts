import type { RequestHandler } from 'msw'
import type { FakeWorld } from './index.cjs'

/**
 * Returns handlers of msw 2 by which a fake, one of its worlds, or a server at an address answers requests to Calendar and
 * OAuth: for `setupServer` of `msw/node`, and with an address also for `setupWorker` in a browser. All other requests,
 * those to other services of Google included, pass to the next handler.
 */
export declare function handlers(fake: FakeWorld | string | URL): RequestHandler[]
