import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { Dialog } from './Dialog.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Icon, type IconName } from './Icon.tsx'

/** The style of a button: `primary` for the main action, `danger` for one that cannot be undone, `quiet` in rows and toolbars. */
export type Rank = 'primary' | 'danger' | 'quiet'

type Props = {
  children?: ComponentChildren
  /** Called on a click. Until its promise settles, the button is disabled. An error is shown after the button. */
  run(): unknown
  /** The question of a dialog that is shown first. Without it, a click runs the action at once. */
  confirm?: string
  rank?: Rank
  icon?: IconName
  disabled?: boolean
  /** The accessible name. Defaults to the text. */
  label?: string
  /** The tooltip. Defaults to `label` if there is no text. */
  title?: string
}

/**
 * A button for an action that takes time or may fail. A click runs it, or opens a dialog with the question of `confirm` and a
 * button that runs it.
 */
export function Button({ children, run, confirm, rank, icon, disabled = false, label, title }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState<RequestError>()
  /** Runs the action, and keeps its error to show it. */
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
