import { formatHint, type JournalEntry } from './recordedCall.ts'
import { redact } from './redact.ts'

/**
 * Formats an entry as one line: time by the world's clock, world, account, method, verb, path, status (`-` without a response)
 * and duration; then reason, fault and hints, if any. Secrets are redacted.
 */
export function formatLogLine(entry: JournalEntry, world: string): string {
  const { at, account = '-', method, verb, path, query, status = '-', ms, reason, fault, batch, hints } = entry
  const target = query === '' ? path : `${path}?${redact(query, method, 'params')}`
  return [
    ...[new Date(at).toISOString(), world, account, method, verb, target, status, `${ms.toFixed(1)}ms`],
    ...(batch === undefined ? [] : [`batch=${batch}`]),
    ...(reason === undefined ? [] : [`reason=${reason}`]),
    ...(fault === undefined ? [] : [`fault=${fault}`]),
    ...hints.map((hint) => redact(formatHint(hint), method, 'body')),
  ]
    .join(' ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
