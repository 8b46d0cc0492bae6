import { createRequire } from 'node:module'
import type { OfficialClient } from '../../types/clientTypes.cjs'
import type { FakeWorld } from '../control/types/world.ts'
import { entryPoints } from './requireVersion.ts'

export type { OfficialClient }

type Library = Pick<typeof import('@googleapis/calendar'), 'calendar' | 'auth'>

/** The packages that contain the client, each with its export. */
const PACKAGES: readonly {
  name: string
  libraryOf: (module: Library & { google?: Library }) => Library | undefined
}[] = [
  { name: '@googleapis/calendar', libraryOf: (module) => module },
  { name: 'googleapis', libraryOf: ({ google }) => google },
]

/** Longer than any test moves its clock. */
const TOKEN_LIFETIME = '3650d'

/** Returns an official client that sends its requests to a world without a socket, as an account. */
export function officialClient(fake: FakeWorld, account: string, strict: boolean): OfficialClient {
  const { auth, calendar } = library()
  const fetchImplementation: typeof fetch = (...args) => fake.fetch(...args)
  const credentials = new auth.OAuth2({ transporterOptions: { fetchImplementation } })
  credentials.setCredentials({ access_token: strict ? fake.oauth.mint({ account, life: TOKEN_LIFETIME }) : account })
  return calendar({ version: 'v3', auth: credentials, fetchImplementation })
}

let loaded: Library | undefined

/** Loads the client when a test first uses it. Throws an Error if neither package is installed. */
function library(): Library {
  loaded ??= PACKAGES.map(({ name, libraryOf }) => libraryOf(requireIfInstalled(name) ?? {})).find(
    (found) => found?.calendar,
  )
  if (!loaded)
    throw new Error('calendar: the official client is not installed (npm install --save-dev @googleapis/calendar)')
  return loaded
}

function requireIfInstalled(name: string) {
  for (const from of entryPoints()) {
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
