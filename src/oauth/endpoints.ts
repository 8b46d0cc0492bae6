import type { ApiError } from '../schema/apiErrors.ts'
import type { EndpointName } from '../schema/oauthPaths.ts'
import { authorize, errorPageOf } from './authorize.ts'
import { device, deviceCode } from './device.ts'
import { token } from './grants.ts'
import { publicKeys } from './identity.ts'
import { configuration, revoke, tokenInfo, userInfo } from './information.ts'
import { CERTIFICATE_PEM, KEY_ID } from './keys.ts'
import type { OAuthCall } from './request.ts'

/**
 * An OAuth endpoint: `handle` runs in a transaction; `prepare` waits first, writes nothing, and returns the function that runs
 * in the transaction. An error that is returned, not thrown, keeps what was written: a scripted failure is consumed.
 */
export type OAuthEndpoint = {
  /** Formats an error that is not JSON. */
  errorPage?(error: ApiError): Response
} & ({ handle(call: OAuthCall): object } | { prepare(call: OAuthCall): Promise<() => object> })

/** The OAuth endpoints. A result that is not a Response is sent as JSON. */
export const ENDPOINTS: Record<EndpointName, OAuthEndpoint> = {
  authorize: { handle: authorize, errorPage: errorPageOf },
  token: { prepare: token },
  revoke: { handle: revoke },
  tokenInfo: { prepare: tokenInfo },
  userInfo: { handle: userInfo },
  deviceCode: { handle: deviceCode },
  device: { handle: device },
  configuration: { handle: configuration },
  keys: { handle: publicKeys },
  certificates: { handle: () => ({ [KEY_ID]: CERTIFICATE_PEM }) },
}
