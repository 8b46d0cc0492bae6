import type { Fault } from '../../api/types.ts'
import type { IconName } from '../../components/Icon.tsx'
import { WITH_SYNC_TOKEN } from '../../faultPresets.ts'

export type EffectKind = {
  id: string
  title: string
  description: string
  icon: IconName
  /** A duration such as `5s`. `initial` is used if it is empty. */
  amount?: { label: string; placeholder: string; initial: string }
  /** The first one is chosen at first. */
  variants?: readonly (readonly [value: string, title: string])[]
  /** The method that the form suggests. */
  target: string
  where?: Fault['where']
  /** As `POST /faults` takes it. Values are texts of the form; empty ones are left out. */
  toEffect(values: { error: string; amount: string; variant: string; retryAfter: string }): Record<string, unknown>
}

/** A plain number is a number of seconds, a duration such as `90s` stays a text. */
const parseAmount = (text: string): string | number => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text.trim())

const toRetryAfter = (text: string) => (text.trim() === '' ? {} : { retryAfter: parseAmount(text) })

/** The values of the variants whose value is not `true`. */
const VALUES: Readonly<Record<string, unknown>> = { truncate: 20, stale: '5s' }
const toVariantEffect = ({ variant }: { variant: string }) => ({ [variant]: VALUES[variant] ?? true })

export const EFFECTS: readonly EffectKind[] = [
  {
    ...{ id: 'fails', title: 'Fails', icon: 'warning', target: 'events.insert' },
    description: 'The service responds with an error, and changes nothing.',
    toEffect: ({ error, retryAfter }) => ({ fail: error, ...toRetryAfter(retryAfter) }),
  },
  {
    ...{ id: 'slow', title: 'Slow', icon: 'clock', target: 'events.list' },
    description: 'The response comes late.',
    amount: { label: 'Delay', placeholder: '5s', initial: '5s' },
    toEffect: ({ amount }) => ({ delay: parseAmount(amount) }),
  },
  {
    ...{ id: 'lost', title: 'Lost response', icon: 'away', target: 'events.insert' },
    description: 'The request is carried out or not, and no response arrives.',
    variants: [
      ['answerLost', 'Carried out, then the connection is reset'],
      ['hang', 'No response ever'],
      ['reset', 'Not carried out: the connection is reset before'],
    ],
    toEffect: toVariantEffect,
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
    toEffect: ({ variant, retryAfter }) => ({ fail: variant, ...toRetryAfter(retryAfter) }),
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
    toEffect: toVariantEffect,
  },
]
