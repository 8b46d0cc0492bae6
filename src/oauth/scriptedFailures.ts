import { OAUTH_CUES, type OAuthCueName } from '../wire/seeds/oauth.ts'
import type { World } from '../world/world.ts'

type Where = (typeof OAUTH_CUES)[OAuthCueName]
/** What may be cued to fail at an endpoint. */
export type ScriptedFailureAt<W extends Where> = {
  [N in OAuthCueName]: (typeof OAUTH_CUES)[N] extends W ? N : never
}[OAuthCueName]

/** Takes the next failure that a test author has cued for an endpoint, or of one kind, if there is one. */
export function consumeScriptedFailure<W extends Where>(
  { oauth }: World,
  where: W,
  kind?: ScriptedFailureAt<W>,
): ScriptedFailureAt<W> | undefined {
  const at = oauth.cues.value.findIndex(({ fail }) => (kind ? fail === kind : OAUTH_CUES[fail] === where))
  const cue = oauth.cues.value[at]
  if (!cue) return undefined
  const left = (cue.times ?? 1) - 1
  const rest = left > 0 ? [{ ...cue, times: left }] : []
  oauth.cues.value = oauth.cues.value.toSpliced(at, 1, ...rest)
  return cue.fail as ScriptedFailureAt<W>
}
