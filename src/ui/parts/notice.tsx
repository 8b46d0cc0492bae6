import type { ComponentChildren } from 'preact'
import type { Refused } from '../refused.ts'

/** What went wrong, in the words of the service, and what would have helped. */
export function Notice({ refused, children }: { refused: Refused; children?: ComponentChildren }) {
  const { message, status, reason, hint } = refused
  return (
    <div class="notice" role="alert">
      <p>
        {status > 0 && <strong>{status} </strong>}
        {message}
        {reason && <code> {reason}</code>}
      </p>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </div>
  )
}
