import type { WorldData } from '../model/worldData.ts'
import { OAUTH_CUES, type OAuthFailureName } from '../schema/oauth.ts'

type FailingEndpoint = (typeof OAUTH_CUES)[OAuthFailureName]
export type ScriptedFailureAt<W extends FailingEndpoint> = {
  [N in OAuthFailureName]: (typeof OAUTH_CUES)[N] extends W ? N : never
}[OAuthFailureName]

/**
 * Reduces the remaining `times` of the next scripted failure of an endpoint, and removes it at 0. With `kind`, only that failure
 * counts. Without one, returns undefined and writes nothing.
 */
export function consumeScriptedFailure<W extends FailingEndpoint>(
  { oauth }: WorldData,
  endpoint: W,
  kind?: ScriptedFailureAt<W>,
): ScriptedFailureAt<W> | undefined {
  const at = oauth.cues.value.findIndex(({ fail }) => (kind ? fail === kind : OAUTH_CUES[fail] === endpoint))
  const failure = oauth.cues.value[at]
  if (!failure) return undefined
  const left = (failure.times ?? 1) - 1
  const rest = left > 0 ? [{ ...failure, times: left }] : []
  oauth.cues.value = oauth.cues.value.toSpliced(at, 1, ...rest)
  return failure.fail as ScriptedFailureAt<W>
}
