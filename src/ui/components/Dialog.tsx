import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './Icon.tsx'

type Props = { title: string; children: ComponentChildren; close(): void; class?: string | undefined }

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, children, close, class: className }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Keys that are pressed right after the dialog is drawn are meant for it.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // While a modal dialog is open, nothing outside of it can get the focus. `close` returns the focus.
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
