import { z } from 'zod'
import { oauthOf } from '../life/oauthSeeds.ts'
import { revokeAll } from '../oauth/tokens.ts'
import { type OAuthCue, oauthCue, oauthSeed } from '../wire/seeds/oauth.ts'
import { nothing, operation } from './operation.ts'

const cues = z.object({ cues: z.array(oauthCue) })
const grant = z.object({
  token: z.string(),
  account: z.string(),
  scopes: z.array(z.string()).optional(),
  client: z.string().optional(),
  expires: z.string().optional(),
  revoked: z.boolean().optional(),
})

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
    id: 'control.oauth.revoke',
    verb: 'POST',
    path: '/_control/oauth/revoke',
    summary: 'Takes back every token and consent, or those of one `account`, and tells how many there were.',
    input: z.strictObject({ account: z.email().optional() }),
    example: { account: 'alice@example.com' },
    result: z.object({ revoked: z.int() }),
    inProcess: { 'oauth.revoke': (account?: string) => ({ account }) },
    run: ({ realm: { world } }, { account }) => revokeAll(world, account),
    reply: (revoked) => ({ revoked }),
  }),
] as const
