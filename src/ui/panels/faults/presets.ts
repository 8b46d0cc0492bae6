import type { Fault } from '../../api/types.ts'

type FaultPreset = {
  title: string
  description: string
  fault: Fault
}

export const FAULT_PRESETS: readonly FaultPreset[] = [
  {
    title: 'Lose the next insert response',
    description: 'events.insert is carried out, then the connection is reset.',
    fault: { on: 'events.insert', do: { answerLost: true } },
  },
  {
    title: 'Next sync is 410',
    description: 'The next list with a sync token has to start over.',
    fault: { on: '*', where: { params: { syncToken: { matches: '.' } } }, do: { fail: 'fullSyncRequired' } },
  },
  {
    title: '429 for a minute',
    description: 'Every request gets 429 with Retry-After: 60, for a minute of the world’s clock.',
    fault: {
      ...{ on: '*', times: 'always', for: '1m', optional: true },
      do: { fail: 'rateLimitExceeded', status: 429, retryAfter: 60 },
    },
  },
  {
    title: '503 twice',
    description: 'The next two requests fail with 503 backendError.',
    fault: { on: '*', times: 2, do: { fail: 'backendError503' } },
  },
]
