import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './Icon.tsx'

type Props = { title: string; children: ComponentChildren; close(): void }

/** Open while the component exists. `close` must remove it; the focus then returns to where it was. */
export function Dialog({ title, children, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isMounted = useRef(true)
  // A layout effect opens the dialog before the next key press, which then goes to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Otherwise the elements outside of the dialog could not get the focus.
    return () => {
      isMounted.current = false
      element?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={() => {
        // Browsers let the page prevent only the first of several Escapes in a row.
        if (!isMounted.current) return
        dialog.current?.showModal()
        close()
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
