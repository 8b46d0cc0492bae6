import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './Icon.tsx'

type Props = { title: string; children: ComponentChildren; close(): void; class?: string | undefined }

/**
 * A modal dialog with a title and a close button. It is open while the component exists. Escape and the button call `close`,
 * which must remove the component; the focus then returns to where it was.
 */
export function Dialog({ title, children, close, class: className }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // A layout effect opens the dialog before the next key press, so that the key goes to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closing returns the focus. Without it, the elements outside of the dialog could not get the focus.
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={className}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
