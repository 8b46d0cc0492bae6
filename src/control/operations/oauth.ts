import { z } from 'zod'
import type { WorldData } from '../../model/worldData.ts'
import { isEmail } from '../../oauth/credentials.ts'
import { stripWorldPrefix, withWorldPrefix } from '../../oauth/request.ts'
import { createAccessToken, expireAll, isIssued, liftRevocation, revokeAll, revokeToken } from '../../oauth/tokens.ts'
import { oauthFailure, oauthSeed } from '../../schema/oauth.ts'
import { addressOf } from '../../schema/values/address.ts'
import { exportOAuth } from '../../seeds/oauthSeed.ts'
import { duration, returns, strictShape } from './inputs.ts'
import { defineOperation, InvalidInputError } from './operation.ts'

const failures = z.object({ failures: z.array(oauthFailure) })
const grant = z.object({
  token: z.string(),
  account: z.string(),
  scopes: z.array(z.string()).optional(),
  client: z.string().optional(),
  expires: z.string().optional(),
  revoked: z.boolean().optional(),
})

const minting = strictShape({
  account: z.email(),
  scopes: z.array(z.string().min(1)).min(1).optional(),
  life: duration.optional(),
  client: z.string().min(1).optional(),
})
const tokenChoice = strictShape({ account: z.string().optional(), token: z.string().optional() })
const toAccount = (account?: string) => ({ account })

export const oauth = {
  'oauth.state': defineOperation({
    route: 'GET /oauth',
    summary: 'Returns the OAuth data of the world: clients, grants, tokens, and scripted failures.',
    result: oauthSeed.extend({ tokens: z.array(grant) }),
    run: ({ world: { data } }) => ({ ...exportOAuth(data).oauth, tokens: [...data.grants.values()] }),
  }),
  'oauth.fail': defineOperation({
    route: 'POST /oauth/fail',
    summary: 'Lets the next consent, or the next `times`, be `denied` or give `noRefreshToken`.',
    input: oauthFailure,
    example: { fail: 'denied', times: 1 },
    result: failures,
    field: null,
    run({ world: { data } }, failure) {
      data.oauth.failures.value = [...data.oauth.failures.value, failure]
    },
    reply: (_, __, { world }) => ({ failures: world.data.oauth.failures.value }),
  }),
  'oauth.forget': defineOperation({
    route: 'POST /oauth/forget',
    summary: 'Removes the scripted failures of consents.',
    run({ world: { data } }) {
      data.oauth.failures.value = []
    },
  }),
  'oauth.mint': defineOperation({
    route: 'POST /oauth/mint',
    summary: 'Issues an access token of an account: for all scopes or the given ones, valid for an hour or for `life`.',
    input: minting,
    example: { account: 'alice@example.com', life: '10m' },
    ...returns({ token: z.string() }),
    run: ({ world: { data }, name }, { life, ...token }) =>
      withWorldPrefix({ worldName: name }, createAccessToken(data, token, life === undefined ? life : life / 1000)),
  }),
  'oauth.expire': defineOperation({
    route: 'POST /oauth/expire',
    summary: 'Expires all access tokens, those of one `account`, or one `token`, and returns their number.',
    input: tokenChoice,
    example: { account: 'alice@example.com' },
    toInput: toAccount,
    ...returns({ expired: z.int() }),
    run: ({ world: { data } }, given) => expireAll(data, resolveTokenChoice(data, given)),
  }),
  'oauth.revoke': defineOperation({
    route: 'POST /oauth/revoke',
    summary:
      'Revokes all tokens and consents, those of one `account`, or those of the client of a `token`, and returns their number. It holds until the account consents again.',
    input: tokenChoice,
    example: { account: 'alice@example.com' },
    toInput: toAccount,
    ...returns({ revoked: z.int() }),
    run({ world: { data } }, given) {
      const { account, token } = resolveTokenChoice(data, given)
      return token === undefined ? revokeAll(data, { account }) : revokeToken(data, token)
    },
  }),
  'oauth.consent': defineOperation({
    route: 'POST /oauth/consent',
    summary:
      'Lets one `account` consent again after a revocation, or all: tokens that the world did not issue are valid.',
    input: strictShape({ account: z.email().optional() }),
    example: { account: 'alice@example.com' },
    toInput: toAccount,
    run: ({ world: { data } }, { account }) =>
      liftRevocation(data, { account: account === undefined ? undefined : addressOf(account) }),
  }),
}

/** Functions in process take both in one argument, so an `account` that is not an address may be a token. */
function resolveTokenChoice(world: WorldData, { account, token = account }: z.output<typeof tokenChoice>) {
  if (account !== undefined && token === account && isEmail(account)) return { account }
  if (token === undefined) return {}
  const subject = stripWorldPrefix(token)
  if (isIssued(world, subject)) return { token: subject }
  const field = token === account ? 'account' : 'token'
  throw new InvalidInputError(field, `neither an address nor a token of this world: ${token}; oauth.mint issues one`)
}
