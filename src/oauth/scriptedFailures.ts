import type { WorldData } from '../model/worldData.ts'
import type { OAuthFailureName } from '../schema/oauth.ts'

/** Returns true if a failure of the kind is scripted, reduces its remaining `times`, and removes it at 0. */
export function consumeScriptedFailure({ oauth }: WorldData, kind: OAuthFailureName): boolean {
  const at = oauth.failures.value.findIndex(({ fail }) => fail === kind)
  const failure = oauth.failures.value[at]
  if (!failure) return false
  const left = (failure.times ?? 1) - 1
  const rest = left > 0 ? [{ ...failure, times: left }] : []
  oauth.failures.value = oauth.failures.value.toSpliced(at, 1, ...rest)
  return true
}
