import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Result } from '../../api/client.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { Field, Form } from '../../components/Form.tsx'
import { showWorld } from '../../route.ts'
import { useSession } from '../../session.ts'
import { showToast } from '../../toast.ts'

type Props = {
  title: string
  submit: string
  /** `Forked the world “w1”` */
  message(name: string): string
  create(name: string): Promise<Result<unknown>>
  close(): void
  children?: ComponentChildren
  /** The server otherwise rejects the name of an existing world. */
  isReplacing?: boolean
}

/** An existing world of the name is replaced; a warning says so. */
export function NewWorldDialog({ title, submit, message, create, close, children, isReplacing = true }: Props) {
  const session = useSession()
  const [name, setName] = useState('')
  const isTaken = isReplacing && session.overview.value?.worlds.some((one) => one.name === name)
  const run = async () => {
    const { sent } = await create(name)
    const action = { title: `Open ${name}`, run: () => showWorld(name) }
    showToast(session, { text: message(name), sent, action })
    session.reportChange()
    close()
  }
  return (
    <Dialog title={title} close={close}>
      <Form label="New world" submit={isTaken ? `Replace ${name}` : submit} run={run} isPrimary>
        <Field label="Name of the world" value={name} change={setName} placeholder="w1" required autofocus />
        {children}
      </Form>
      {isTaken && (
        <p role="status" class="bad">
          This world exists. Everything in it is lost.
        </p>
      )}
    </Dialog>
  )
}
