import { createRequire } from 'node:module'
import type { OfficialClient } from '../../types/clientTypes.cjs'
import type { FakeWorld } from '../control/types/world.ts'
import { reportCall } from './callReport.ts'
import { listResolutionBases } from './requireVersion.ts'

export type { OfficialClient }

type Library = Pick<typeof import('@googleapis/calendar'), 'calendar' | 'auth'>

const PACKAGES: readonly {
  name: string
  libraryOf: (module: Library & { google?: Library }) => Library | undefined
}[] = [
  { name: '@googleapis/calendar', libraryOf: (module) => module },
  { name: 'googleapis', libraryOf: ({ google }) => google },
]

/** Longer than any test moves its clock. */
const TOKEN_LIFETIME = '3650d'

/**
 * Creates an official client that sends its requests to a world without a socket. `account` is an address, which is also its
 * token; a strict world issues one. Throws an Error if the client is not installed.
 */
export function createOfficialClient(fake: FakeWorld, account: string, strict: boolean): OfficialClient {
  const { auth, calendar } = loadLibrary()
  const fetchImplementation: typeof fetch = (...args) => fake.fetch(...args)
  const credentials = new auth.OAuth2({ transporterOptions: { fetchImplementation } })
  credentials.setCredentials({ access_token: strict ? fake.oauth.mint({ account, life: TOKEN_LIFETIME }) : account })
  const request = credentials.request.bind(credentials)
  credentials.request = (options) => {
    // The call is recorded from here on, because the client calls `fetch` in a later turn of the event loop.
    const end = reportCall(fake, String(options.url), { method: options.method })
    const send: typeof fetch = (...args) => {
      end()
      return fake.fetch(...args)
    }
    return request({ ...options, fetchImplementation: send }).finally(end)
  }
  return calendar({ version: 'v3', auth: credentials })
}

let loaded: Library | undefined

function loadLibrary(): Library {
  loaded ??= PACKAGES.map(({ name, libraryOf }) => libraryOf(requireIfInstalled(name) ?? {})).find(
    (found) => found?.calendar,
  )
  if (!loaded)
    throw new Error('calendar: the official client is not installed (npm install --save-dev @googleapis/calendar)')
  return loaded
}

/** Returns undefined if the package is not installed. Throws the error of a package that cannot be loaded. */
function requireIfInstalled(name: string) {
  for (const from of listResolutionBases()) {
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
