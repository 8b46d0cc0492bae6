import { type Note, saidBy } from './recordedCall.ts'
import { redacted } from './redact.ts'

/**
 * A request in one line: when by the world's clock, in which world, whose, what, the status of its answer (`-` where there was
 * none) and how long it took; then what there is of its reason, its fault and its hints. Secrets are left out.
 */
export function lineOf(note: Note, world: string): string {
  const { at, account = '-', method, verb, path, query, status = '-', ms, reason, fault, batch, hints } = note
  const asked = query === '' ? path : `${path}?${redacted(query, method, 'params')}`
  return [
    ...[new Date(at).toISOString(), world, account, method, verb, asked, status, `${ms.toFixed(1)}ms`],
    ...(batch === undefined ? [] : [`batch=${batch}`]),
    ...(reason === undefined ? [] : [`reason=${reason}`]),
    ...(fault === undefined ? [] : [`fault=${fault}`]),
    ...hints.map((hint) => redacted(saidBy(hint), method, 'body')),
  ]
    .join(' ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
