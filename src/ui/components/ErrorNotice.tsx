import { useState } from 'preact/hooks'
import type { RequestError } from '../api/errors.ts'
import { useControlAction } from '../hooks/useControlAction.ts'
import { useRun } from '../hooks/useRun.ts'
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
        {fault && <FiredFault id={fault} />}
      </div>
    </div>
  )
}

function FiredFault({ id }: { id: string }) {
  const control = useControlAction()
  const { isBusy, error, run } = useRun()
  const [isRemoved, setRemoved] = useState(false)
  const remove = async () => {
    await control('DELETE', `/faults/${encodeURIComponent(id)}`, `Removed ${id}`)
    setRemoved(true)
  }
  return (
    <div class="actions">
      The fault {id} fired on this request{isRemoved ? ' and is removed.' : '.'}
      <button type="button" aria-label={`Remove ${id}`} disabled={isBusy || isRemoved} onClick={() => void run(remove)}>
        Remove
      </button>
      {error?.message}
    </div>
  )
}
