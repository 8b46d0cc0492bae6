import { z } from 'zod'
import { oauthOf } from '../life/oauthSeeds.ts'
import { revokeAll } from '../oauth/tokens.ts'
import { oauthCue } from '../wire/oauthSeed.ts'
import { control } from './endpoint.ts'

/** What a test author may do to who has signed in, and how signing in fails. */
export const oauth = [
  control({
    id: 'control.oauth.get',
    verb: 'GET',
    path: '/_control/oauth',
    summary: 'Returns what the world knows of OAuth: clients, grants, and the failures that are cued.',
    handle: ({ realm: { world } }) => ({ ...oauthOf(world).oauth, tokens: [...world.grants.values()] }),
  }),
  control({
    id: 'control.oauth.fail',
    verb: 'POST',
    path: '/_control/oauth',
    summary: 'Cues a failure of OAuth: once, or as often as `times` says.',
    body: oauthCue,
    handle: ({ realm: { world }, body }) => {
      world.oauth.cues.value = [...world.oauth.cues.value, body]
      return { cues: world.oauth.cues.value }
    },
  }),
  control({
    id: 'control.oauth.forget',
    verb: 'DELETE',
    path: '/_control/oauth',
    summary: 'Forgets the failures of OAuth that are cued.',
    handle: ({ realm: { world } }) => {
      world.oauth.cues.value = []
      return { cues: [] }
    },
  }),
  control({
    id: 'control.oauth.revoke',
    verb: 'POST',
    path: '/_control/oauth/revoke',
    summary: 'Takes back every token and consent: of one account, or of all.',
    body: z.strictObject({ account: z.email().optional() }),
    handle: ({ realm: { world }, body: { account } }) => ({ revoked: revokeAll(world, account) }),
  }),
]
