import type { Fault } from '../../api/types.ts'
import type { IconName } from '../../components/Icon.tsx'
import { WITH_SYNC_TOKEN } from '../../faultPresets.ts'

/** A kind of effect, as a card. Its choices have the form that the route takes. */
export type EffectKind = {
  id: string
  title: string
  description: string
  icon: IconName
  /** A further value that the effect needs. */
  amount?: { label: string; placeholder: string; initial: string }
  /** The variants of the effect. */
  variants?: readonly (readonly [value: string, title: string])[]
  /** The method that it usually matches, and a condition that it always needs. */
  target: string
  where?: Fault['where']
  toEffect(values: { error: string; amount: string; variant: string; retryAfter: string }): Record<string, unknown>
}

/** Durations such as `90s` stay texts; plain numbers are seconds or bytes. */
const parseAmount = (text: string): string | number => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text.trim())

const retry = (text: string) => (text.trim() === '' ? {} : { retryAfter: parseAmount(text) })

export const EFFECTS: readonly EffectKind[] = [
  {
    ...{ id: 'fails', title: 'Fails', icon: 'warning', target: 'events.insert' },
    description: 'The service responds with an error, and nothing is done.',
    toEffect: ({ error, retryAfter }) => ({ fail: error, ...retry(retryAfter) }),
  },
  {
    ...{ id: 'slow', title: 'Slow', icon: 'clock', target: 'events.list' },
    description: 'The response comes late.',
    amount: { label: 'Delay', placeholder: '5s', initial: '5s' },
    toEffect: ({ amount }) => ({ delay: parseAmount(amount) }),
  },
  {
    ...{ id: 'lost', title: 'Lost answer', icon: 'away', target: 'events.insert' },
    description: 'The request is carried out or not, and no response arrives.',
    variants: [
      ['answerLost', 'Carried out, then the connection is reset'],
      ['reset', 'The connection is reset before'],
      ['hang', 'No response ever'],
    ],
    toEffect: ({ variant }) => ({ [variant]: true }),
  },
  {
    ...{ id: 'sync', title: 'Expired sync token', icon: 'replay', target: 'events.list' },
    description: 'The next list with a sync token gets 410 and has to start over.',
    where: WITH_SYNC_TOKEN,
    toEffect: () => ({ fail: 'fullSyncRequired' }),
  },
  {
    ...{ id: 'quota', title: 'Quota', icon: 'activity', target: '*' },
    description: 'Too many requests.',
    variants: [
      ['rateLimitExceeded429', '429 rateLimitExceeded'],
      ['rateLimitExceeded', '403 rateLimitExceeded'],
      ['userRateLimitExceeded', '403 userRateLimitExceeded'],
      ['quotaExceeded', '403 quotaExceeded'],
    ],
    toEffect: ({ variant, retryAfter }) => ({ fail: variant, ...retry(retryAfter) }),
  },
  {
    ...{ id: 'body', title: 'Broken body', icon: 'copy', target: 'events.list' },
    description: 'The response is cut, empty, or out of date.',
    variants: [
      ['truncate', 'Cut after 20 bytes'],
      ['empty', 'Empty'],
      ['emptyPage', 'A list: an empty page with a next page'],
      ['stale', 'A list: as of 5 seconds ago'],
      ['calendarListLag', 'A deleted calendar stays on its owner’s list'],
    ],
    toEffect: ({ variant }) =>
      variant === 'truncate' ? { truncate: 20 } : variant === 'stale' ? { stale: '5s' } : { [variant]: true },
  },
]
