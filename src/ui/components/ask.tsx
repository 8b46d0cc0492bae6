import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from './Dialog.tsx'

/** `danger` cannot be undone; `quiet` is for rows and toolbars. */
export type Rank = 'primary' | 'danger' | 'quiet'
export type Choice<T> = { value: T; title: ComponentChildren; rank?: Rank | undefined }

type Options = { text?: string; cancel?: string }
type Question = Options & {
  id: number
  title: string
  choices: readonly Choice<unknown>[]
  answer(value: unknown): void
}

const question = signal<Question | undefined>(undefined)
let lastId = 0

/** Resolves to undefined on Cancel. */
export const ask = <T,>(title: string, choices: readonly Choice<T>[], options?: Options): Promise<T | undefined> =>
  new Promise((resolve) => {
    question.value = {
      ...{ id: ++lastId, title, choices, ...options },
      answer(value) {
        question.value = undefined
        resolve(value as T | undefined)
      },
    }
  })

/** The dialog of the question that `ask` waits for. Each question opens a new one, above a dialog that was opened again. */
export function QuestionDialog() {
  if (!question.value) return null
  const { id, title, text, cancel = 'Cancel', choices, answer } = question.value
  return (
    <Dialog key={id} title={title} close={() => answer(undefined)}>
      {text && <p>{text}</p>}
      <div class="actions end">
        <button type="button" onClick={() => answer(undefined)}>
          {cancel}
        </button>
        {choices.map(({ value, title: name, rank }, index) => (
          <button key={index} type="button" class={rank} onClick={() => answer(value)}>
            {name}
          </button>
        ))}
      </div>
    </Dialog>
  )
}
