/**
 * The same scenarios without a socket: the official Node client, its auth library and its tokens, with `fake.fetch` given
 * as their own option `fetchImplementation`.
 */
import '../support/inProcess.ts'
import './node.test.ts'
import './node.auth.test.ts'
