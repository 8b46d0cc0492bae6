import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Props = { title: string; children: ComponentChildren; close(): void; class?: string }

/** Something that stands before the page until it is closed, by Escape too; the focus comes back to where it was. */
export function Dialog({ title, children, close, class: kind }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="close" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}
