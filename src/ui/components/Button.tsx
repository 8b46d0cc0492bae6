import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { Dialog } from './Dialog.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Icon, type IconName } from './Icon.tsx'

/** Primary: the main action of a view. Danger: it cannot be undone. Quiet: it stands in a row or a toolbar. */
export type Rank = 'primary' | 'danger' | 'quiet'

type Props = {
  children?: ComponentChildren
  /** Runs on a click. The button is busy until it is done, and shows its error. */
  run(): unknown
  /** A question that is asked first. */
  confirm?: string
  rank?: Rank
  icon?: IconName
  disabled?: boolean
  /** The accessible name, where the text is too short. */
  label?: string
  title?: string
}

/** A button for an action that takes time or may fail. */
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
