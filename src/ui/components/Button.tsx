import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { Dialog } from './Dialog.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Icon, type IconName } from './Icon.tsx'

/** `danger` cannot be undone; `quiet` is for rows and toolbars. */
export type Rank = 'primary' | 'danger' | 'quiet'

type Props = {
  children?: ComponentChildren
  /** Until its promise settles, the button is disabled. An error is shown after the button. */
  run(): unknown
  /** The question of a dialog that is shown first. */
  confirm?: string
  rank?: Rank
  icon?: IconName
  disabled?: boolean
  label?: string
  title?: string
}

export function Button({ children, run, confirm, rank, icon, disabled = false, label, title }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState<RequestError>()
  const start = async () => {
    setAsking(false)
    setBusy(true)
    setError(undefined)
    try {
      await run()
    } catch (thrown) {
      setError(toRequestError(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button
        type="button"
        class={rank}
        disabled={disabled || isBusy}
        aria-busy={isBusy}
        aria-label={label}
        title={title ?? (children === undefined ? label : undefined)}
        onClick={() => (confirm === undefined ? void start() : setAsking(true))}
      >
        {icon && <Icon name={icon} />}
        {children}
      </button>
      {error && <ErrorNotice error={error} />}
      {isAsking && (
        <Dialog title={confirm ?? ''} close={() => setAsking(false)}>
          <div class="actions end">
            <button type="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
            <button type="button" class={rank === 'danger' ? 'danger' : 'primary'} onClick={() => void start()}>
              {children ?? label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
