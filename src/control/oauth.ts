import { z } from 'zod'
import { isEmail } from '../http/auth.ts'
import { oauthOf } from '../life/oauthSeeds.ts'
import { handedOut, known } from '../oauth/request.ts'
import { consentOf, expireAll, minted, revoke, revokeAll } from '../oauth/tokens.ts'
import { durationOf } from '../time/clock.ts'
import { type OAuthCue, oauthCue, oauthSeed } from '../wire/seeds/oauth.ts'
import type { World } from '../world/world.ts'
import { Misfit, nothing, of, operation } from './operation.ts'

const cues = z.object({ cues: z.array(oauthCue) })
const grant = z.object({
  token: z.string(),
  account: z.string(),
  scopes: z.array(z.string()).optional(),
  client: z.string().optional(),
  expires: z.string().optional(),
  revoked: z.boolean().optional(),
})

const minting = z.strictObject({
  account: z.email(),
  scopes: z.array(z.string().min(1)).min(1).optional(),
  life: z.union([z.string(), z.number()]).optional(),
  client: z.string().min(1).optional(),
})
const whose = z.strictObject({ account: z.string().optional(), token: z.string().optional() })

/** What a test author may do to who has signed in, and how signing in fails. */
export const oauth = [
  operation({
    id: 'control.oauth.get',
    verb: 'GET',
    path: '/_control/oauth',
    summary: 'Returns what the world knows of OAuth: clients, grants, tokens, and the failures that are cued.',
    result: oauthSeed.extend({ tokens: z.array(grant) }),
    inProcess: { 'oauth.state': nothing },
    run: ({ realm: { world } }) => ({ ...oauthOf(world).oauth, tokens: [...world.grants.values()] }),
  }),
  operation({
    id: 'control.oauth.fail',
    verb: 'POST',
    path: '/_control/oauth',
    summary: 'Cues a failure of OAuth: once, or as often as `times` says.',
    input: oauthCue,
    example: { fail: 'invalidGrant', times: 1 },
    result: cues,
    inProcess: { 'oauth.fail': (cue: OAuthCue) => cue },
    run({ realm: { world } }, cue) {
      world.oauth.cues.value = [...world.oauth.cues.value, cue]
    },
    reply: (_, __, { realm }) => ({ cues: realm.world.oauth.cues.value }),
  }),
  operation({
    id: 'control.oauth.forget',
    verb: 'DELETE',
    path: '/_control/oauth',
    summary: 'Forgets the failures of OAuth that are cued.',
    result: cues,
    inProcess: { 'oauth.forget': nothing },
    run({ realm: { world } }) {
      world.oauth.cues.value = []
    },
    reply: () => ({ cues: [] }),
  }),
  operation({
    id: 'control.oauth.mint',
    verb: 'POST',
    path: '/_control/oauth/mint',
    summary: 'Makes an access token of an account: for all scopes or those named, good for an hour or for `life`.',
    input: minting,
    example: { account: 'alice@example.com', life: '10m' },
    result: z.object({ token: z.string() }),
    inProcess: { 'oauth.mint': (token: z.input<typeof minting>) => token },
    run({ realm: { world }, name }, { life, ...asked }) {
      const seconds = life === undefined ? undefined : of('life', () => durationOf(life)) / 1000
      return handedOut({ name }, minted(world, asked, seconds))
    },
    reply: (token) => ({ token }),
  }),
  operation({
    id: 'control.oauth.expire',
    verb: 'POST',
    path: '/_control/oauth/expire',
    summary: 'Lets every access token expire, those of one `account`, or one `token`, and tells how many there were.',
    input: whose,
    example: { account: 'alice@example.com' },
    result: z.object({ expired: z.int() }),
    inProcess: { 'oauth.expire': (account?: string) => ({ account }) },
    run: ({ realm: { world } }, given) => expireAll(world, named(world, given)),
    reply: (expired) => ({ expired }),
  }),
  operation({
    id: 'control.oauth.revoke',
    verb: 'POST',
    path: '/_control/oauth/revoke',
    summary:
      'Takes back every token and consent, those of one `account`, or a `token` with all that its client may do, and tells how many there were.',
    input: whose,
    example: { account: 'alice@example.com' },
    result: z.object({ revoked: z.int() }),
    inProcess: { 'oauth.revoke': (account?: string) => ({ account }) },
    run({ realm: { world } }, given) {
      const { account, token } = named(world, given)
      return token === undefined ? revokeAll(world, account) : Number(revoke(world, token))
    },
    reply: (revoked) => ({ revoked }),
  }),
] as const

/** Whose tokens are meant, or which. What is no address may be a token, as functions take both in one place. */
function named(world: World, { account, token = account }: z.output<typeof whose>) {
  if (account !== undefined && token === account && isEmail(account)) return { account }
  if (token === undefined) return {}
  const subject = known(token)
  if (world.grants.get(subject) || consentOf(world, subject)) return { token: subject }
  const field = token === account ? 'account' : 'token'
  throw new Misfit(field, `neither an address nor a token of this world: ${token}`)
}
