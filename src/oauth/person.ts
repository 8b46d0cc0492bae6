import { digest } from '../model/ids.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import { authenticateCaller, findBearerToken } from './credentials.ts'
import type { OAuthCall } from './request.ts'
import { hasProfile, pictureOf, toProfileClaims } from './tokens.ts'

const EMAIL_SCOPE = 'https://www.googleapis.com/auth/userinfo.email'

/**
 * Returns the caller's own entry of the People API: the fields of `personFields` that the scopes of the token cover, of
 * `names`, `photos` and `emailAddresses`. Throws `required` (400) without `personFields`, and the errors of `authenticateCaller`.
 */
export function getPerson(call: OAuthCall): object {
  const { world, auth, request } = call
  const requested = call.given('personFields') ?? call.given('requestMask.includeField')
  const { caller, scopes } = authenticateCaller(
    world,
    findBearerToken(request, new URL(request.url).searchParams),
    auth,
  )
  if (requested === undefined) throw apiError('missingParameter', { location: 'personFields' })
  const account = world.accounts.get(caller.email ?? '') ?? throwApiError('invalidCredentials')
  const { sub, name, given_name, family_name } = toProfileClaims(account, scopes)
  const source = { type: 'PROFILE', id: sub }
  const isProfile = hasProfile(scopes)
  const fields = {
    names: isProfile &&
      name !== undefined && [
        {
          metadata: { primary: true, source, sourcePrimary: true },
          displayName: name,
          ...(family_name !== undefined && { familyName: family_name }),
          givenName: given_name,
          displayNameLastFirst: [family_name, given_name].filter(Boolean).join(', '),
          unstructuredName: name,
        },
      ],
    photos: isProfile && [
      {
        metadata: { primary: true, source },
        url: pictureOf(account),
        ...(account.picture === undefined && { default: true }),
      },
    ],
    emailAddresses: (scopes?.includes(EMAIL_SCOPE) ?? true) && [
      {
        metadata: { primary: true, verified: true, source: { type: 'ACCOUNT', id: sub }, sourcePrimary: true },
        value: account.email,
      },
    ],
  }
  const names = requested.split(',').map((one) => one.trim().replace(/^person\./, ''))
  const shown = Object.entries(fields).filter(([field, value]) => names.includes(field) && value !== false)
  return {
    resourceName: `people/${sub}`,
    etag: `%${digest(JSON.stringify(shown), 'sha1')}`,
    ...Object.fromEntries(shown),
  }
}
