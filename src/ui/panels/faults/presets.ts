import type { Fault } from '../../api/types.ts'

export const FAULT_PRESETS: readonly { title: string; fault: Fault }[] = [
  {
    title: 'Lose the next insert response',
    fault: { on: 'events.insert', do: { answerLost: true } },
  },
  {
    title: 'Next sync is 410',
    fault: { on: '*', where: { params: { syncToken: { matches: '.' } } }, do: { fail: 'fullSyncRequired' } },
  },
  {
    title: '429 for a minute',
    fault: {
      ...{ on: '*', times: 'always', for: '1m', optional: true },
      do: { fail: 'rateLimitExceeded', status: 429, retryAfter: 60 },
    },
  },
  {
    title: '503 twice',
    fault: { on: '*', times: 2, do: { fail: 'backendError503' } },
  },
]
