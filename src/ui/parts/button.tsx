import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Refused, refusalOf } from '../refused.ts'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type Props = {
  children: ComponentChildren
  /** What it does. It is shown as busy until that is done, and tells what went wrong. */
  act(): unknown
  /** What is asked first, where it cannot be taken back: `Reset the world? All that was written is lost.` */
  confirm?: string
  disabled?: boolean
  class?: string
  label?: string
}

export function Button({ children, act, confirm, disabled = false, class: kind, label }: Props) {
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const run = async () => {
    setAsking(false)
    setBusy(true)
    setRefused(undefined)
    try {
      await act()
    } catch (error) {
      setRefused(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button
        type="button"
        class={kind}
        disabled={disabled || busy}
        aria-busy={busy}
        aria-label={label}
        onClick={() => (confirm === undefined ? void run() : setAsking(true))}
      >
        {children}
      </button>
      {refused && <Notice refused={refused} />}
      {asking && (
        <Dialog title={confirm ?? ''} close={() => setAsking(false)}>
          <div class="actions">
            <button type="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
            <button type="button" class="danger" onClick={() => void run()}>
              {children}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
