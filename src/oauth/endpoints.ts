import type { ApiError } from '../schema/apiErrors.ts'
import type { EndpointName } from '../schema/oauthPaths.ts'
import { handleAuthorization, toErrorPage } from './authorize.ts'
import { handleDevicePage, issueDeviceCode } from './device.ts'
import { prepareTokenRequest } from './grants.ts'
import { getPublicKeys } from './identity.ts'
import { getUserInfo, handleRevocation, openIdConfiguration, prepareTokenInfo } from './information.ts'
import { CERTIFICATE_PEM, KEY_ID } from './keys.ts'
import type { OAuthCall } from './request.ts'

/**
 * `handle` runs in a transaction; `prepare` waits first, writes nothing, and returns the function that runs in the transaction.
 * The result is a Response, or an object that is sent as JSON. An ApiError that is thrown rolls the transaction back; one that is
 * returned keeps its writes, such as the consumption of a scripted failure.
 */
export type OAuthEndpoint = {
  errorPage?(error: ApiError): Response
} & ({ handle(call: OAuthCall): object } | { prepare(call: OAuthCall): Promise<() => object> })

export const ENDPOINTS: Record<EndpointName, OAuthEndpoint> = {
  authorize: { handle: handleAuthorization, errorPage: toErrorPage },
  token: { prepare: prepareTokenRequest },
  revoke: { handle: handleRevocation },
  tokenInfo: { prepare: prepareTokenInfo },
  userInfo: { handle: getUserInfo },
  deviceCode: { handle: issueDeviceCode },
  device: { handle: handleDevicePage },
  configuration: { handle: openIdConfiguration },
  keys: { handle: getPublicKeys },
  certificates: { handle: () => ({ [KEY_ID]: CERTIFICATE_PEM }) },
}
