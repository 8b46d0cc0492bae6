import type { RequestError } from '../api/errors.ts'
import { Icon } from './Icon.tsx'

export function ErrorNotice({ error }: { error: RequestError }) {
  const { message, status, reason, hint, fault } = error
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
        {fault && <p>The fault {fault} fired on this request.</p>}
      </div>
    </div>
  )
}
