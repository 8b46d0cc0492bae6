import type { Fault, FaultView } from './api/types.ts'
import type { ControlAction } from './hooks/useControlAction.ts'

/** A fault that is added with one click. */
export type FaultPreset = {
  title: string
  description: string
  fault: Fault
  /** The page removes the fault after this time. Without it, the fault stays until it has fired as often as it repeats. */
  durationMs?: number
}

const MINUTE_MS = 60_000

/** A condition of a fault that matches only lists that continue from a sync token. */
export const WITH_SYNC_TOKEN: Fault['where'] = { params: { syncToken: { matches: '.' } } }

export const FAULT_PRESETS: readonly FaultPreset[] = [
  {
    title: 'Lose the next insert response',
    description: 'events.insert is carried out, then the connection is reset.',
    fault: { on: 'events.insert', do: { answerLost: true } },
  },
  {
    title: 'Next sync is 410',
    description: 'The next list with a sync token has to start over.',
    fault: { on: '*', where: WITH_SYNC_TOKEN, do: { fail: 'fullSyncRequired' } },
  },
  {
    title: '429 for a minute',
    description: 'Every request gets 429 with Retry-After: 60. The page removes the fault after a minute.',
    durationMs: MINUTE_MS,
    fault: {
      on: '*',
      times: 'always',
      optional: true,
      do: { fail: 'rateLimitExceeded', status: 429, retryAfter: 60 },
    },
  },
  {
    title: '503 twice',
    description: 'The next two requests fail with 503 backendError.',
    fault: { on: '*', times: 2, do: { fail: 'backendError503' } },
  },
]

/**
 * Adds the fault of a preset to the world, and shows a toast. With `durationMs`, a timer of the page removes it; if the page
 * is closed or reloaded before, the fault stays. Rejects with a RequestError if the fault cannot be added.
 */
export async function addPreset(control: ControlAction, { title, fault, durationMs }: FaultPreset): Promise<void> {
  const { id } = await control<FaultView>('POST', '/faults', `Added: ${title}`, fault)
  if (durationMs === undefined) return
  setTimeout(() => {
    // A failure is ignored, because the fault may have been removed already.
    control('DELETE', `/faults/${encodeURIComponent(id)}`, `Removed: ${title}`).catch(() => undefined)
  }, durationMs)
}
