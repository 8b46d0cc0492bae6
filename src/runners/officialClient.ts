import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { calendar_v3 } from '@googleapis/calendar'
import type { FakeWorld } from '../index.ts'

/** `calendar({ version: 'v3' })` of `@googleapis/calendar`, and the same of `googleapis`. */
export type OfficialClient = calendar_v3.Calendar

type Library = Pick<typeof import('@googleapis/calendar'), 'calendar' | 'auth'>

/** By which name each is installed, and where in it the client is. */
const LIBRARIES: readonly { name: string; within: (module: Library & { google?: Library }) => Library | undefined }[] =
  [
    { name: '@googleapis/calendar', within: (module) => module },
    { name: 'googleapis', within: ({ google }) => google },
  ]

/** Longer than any test moves its clock. */
const LIFE = '3650d'

/** The client, which speaks to a world without a socket. It acts for an account. */
export function officialClient(fake: FakeWorld, account: string, strict: boolean): OfficialClient {
  const { auth, calendar } = library()
  const fetchImplementation: typeof fetch = (...asked) => fake.fetch(...asked)
  const credentials = new auth.OAuth2({ transporterOptions: { fetchImplementation } })
  credentials.setCredentials({ access_token: strict ? fake.oauth.mint({ account, life: LIFE }) : account })
  return calendar({ version: 'v3', auth: credentials, fetchImplementation })
}

let loaded: Library | undefined

/** Whichever is there: as the project finds it, or else as this package does. Loaded when a test first asks for it. */
function library(): Library {
  loaded ??= LIBRARIES.map(({ name, within }) => within(required(name) ?? {})).find((found) => found?.calendar)
  if (!loaded)
    throw new Error('calendar: the official client is not installed (npm install --save-dev @googleapis/calendar)')
  return loaded
}

function required(name: string) {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    const require = createRequire(from)
    try {
      require.resolve(name)
    } catch {
      continue
    }
    return require(name)
  }
  return undefined
}
