import { signal } from '@preact/signals'
import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './Icon.tsx'

/** The last one shows the toasts, because everything outside of it is inert. */
export const dialogs = signal<readonly string[]>([])

export const DialogMessages = createContext<ComponentType>(() => null)

type Props = { title: string; children: ComponentChildren; close(): void; class?: string | undefined }

/** Open while the component exists. `close` must remove it; the focus then returns to where it was. */
export function Dialog({ title, children, close, class: className }: Props) {
  const Messages = useContext(DialogMessages)
  const dialog = useRef<HTMLDialogElement>(null)
  const isMounted = useRef(true)
  const id = useId()
  // A layout effect opens the dialog before the next key press, which then goes to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    dialogs.value = [...dialogs.peek(), id]
    // Otherwise the elements outside of the dialog could not get the focus.
    return () => {
      isMounted.current = false
      dialogs.value = dialogs.peek().filter((one) => one !== id)
      element?.close()
    }
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
      onClose={() => {
        // Of several Escapes in a row, browsers let the page prevent only the first ones.
        if (!isMounted.current) return
        dialog.current?.showModal()
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
      {dialogs.value.at(-1) === id && <Messages />}
    </dialog>
  )
}
