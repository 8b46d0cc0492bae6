import type { ComponentChildren } from 'preact'
import type { RequestError } from '../api/errors.ts'
import { Icon } from './Icon.tsx'

export function ErrorNotice({ error, children }: { error: RequestError; children?: ComponentChildren }) {
  const { message, status, reason, hint } = error
  return (
    <div class="notice" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          {status > 0 && <strong>{status} </strong>}
          {message}
          {reason && <code> {reason}</code>}
        </p>
        {hint && <p class="muted">{hint}</p>}
        {children}
      </div>
    </div>
  )
}
