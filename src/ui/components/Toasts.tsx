import { useEffect, useRef } from 'preact/hooks'
import { toCurl } from '../api/curl.ts'
import { useSession } from '../session.ts'
import { dismissToast, TOAST_DURATION_MS, type Toast } from '../toast.ts'
import { Button } from './Button.tsx'
import { CopyableText } from './CopyableText.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Icon } from './Icon.tsx'
import styles from './Toasts.module.css'

/** They follow the panel, so that its end can be scrolled out from below them. */
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

function ToastView({ toast, close }: { toast: Toast; close(): void }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (toast.error) return undefined
    const closeUnlessUsed = () => {
      if (element.current?.matches(':hover, :focus-within, :has([open], [role=alert])'))
        timer = setTimeout(closeUnlessUsed, TOAST_DURATION_MS)
      else close()
    }
    let timer = setTimeout(closeUnlessUsed, TOAST_DURATION_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div ref={element} class={styles.toast}>
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
          <CopyableText name="curl" text={toCurl(toast.sent)} />
        </details>
      )}
    </div>
  )
}
