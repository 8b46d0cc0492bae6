import { useEffect, useState } from 'preact/hooks'
import { useSession } from '../session.ts'
import { dismissToast, TOAST_DURATION_MS, type Toast } from '../toast.ts'
import { Button } from './Button.tsx'
import { RequestSnippets } from './CopyButton.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Icon } from './Icon.tsx'
import styles from './Toasts.module.css'

/** They follow the panel, so that its end can be scrolled out from below them. An open dialog has them beside itself. */
export function Toasts() {
  const session = useSession()
  return (
    <section class={styles.toasts} aria-live="polite" aria-label="Notifications">
      {session.toasts.value.map((toast) => (
        <ToastView key={toast.id} toast={toast} close={() => dismissToast(session, toast.id)} />
      ))}
    </section>
  )
}

/** Closes after `TOAST_DURATION_MS`, unless it has an error, has the pointer or the focus, or its request is unfolded. */
function ToastView({ toast, close }: { toast: Toast; close(): void }) {
  const [isHeld, setHeld] = useState(false)
  const isTimed = toast.error === undefined && !isHeld
  useEffect(() => {
    if (!isTimed) return undefined
    const timer = window.setTimeout(close, TOAST_DURATION_MS)
    return () => clearTimeout(timer)
  }, [isTimed])
  const hold = () => setHeld(true)
  const release = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    setHeld(currentTarget.matches(':hover, :focus-within') || currentTarget.querySelector('details[open]') !== null)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is only kept open while the pointer or the focus is on it
    <div class={styles.toast} onMouseEnter={hold} onMouseLeave={release} onFocusIn={hold} onFocusOut={release}>
      <div class={styles.line}>
        <p>{toast.text}</p>
        {toast.action && <Button run={toast.action.run}>{toast.action.title}</Button>}
        <button type="button" class="quiet" aria-label="Dismiss" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {toast.error && <ErrorNotice error={toast.error} />}
      {toast.sent && (
        <details>
          <summary>Request: {toast.sent.method}</summary>
          <RequestSnippets sent={toast.sent} />
        </details>
      )}
    </div>
  )
}
