import { useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { useControlAction } from '../hooks/useControlAction.ts'
import { useSession } from '../session.ts'
import { showToast } from '../toast.ts'
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
  const session = useSession()
  const control = useControlAction()
  const [isRemoved, setRemoved] = useState(false)
  const remove = async () => {
    try {
      await control('DELETE', `/faults/${encodeURIComponent(id)}`, `Removed ${id}`)
      setRemoved(true)
    } catch (error) {
      showToast(session, { text: `Failed: remove ${id}`, error: toRequestError(error) })
    }
  }
  return (
    <div class="actions">
      The fault {id} fired on this request{isRemoved ? ' and is removed.' : '.'}
      {!isRemoved && (
        <button type="button" aria-label={`Remove ${id}`} onClick={() => void remove()}>
          Remove
        </button>
      )}
    </div>
  )
}
