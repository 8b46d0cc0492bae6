import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import styles from './Form.module.css'

type Props = {
  /** The accessible name of the form. */
  label: string
  /** The text of the submit button. */
  submit: string
  /** Called on submit. Until its promise settles, the button is disabled. An error is shown below the form. */
  run(): unknown
  children: ComponentChildren
  /** Further buttons. */
  actions?: ComponentChildren
  /** True to style the submit button as the main action. */
  isPrimary?: boolean
}

/** A row of fields with a submit button. The Enter key submits it too. */
export function Form({ label, submit, run, children, actions, isPrimary = false }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError>()
  /** Runs the action once, and keeps its error to show it. */
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await run()
    } catch (thrown) {
      setError(toRequestError(thrown))
    }
    setBusy(false)
  }
  return (
    <form class={styles.form} aria-label={label} onSubmit={(event) => void onSubmit(event)}>
      {children}
      <div class={styles.buttons}>
        <button type="submit" class={isPrimary ? 'primary' : undefined} aria-busy={isBusy} disabled={isBusy}>
          {submit}
        </button>
        {actions}
      </div>
      {error && <ErrorNotice error={error} />}
    </form>
  )
}

type FieldProps = {
  label: string
  value: string
  /** Called with the new text after each key. */
  change(value: string): void
  /** The message for a wrong value. */
  error?: string | undefined
} & Pick<
  InputHTMLAttributes,
  'type' | 'placeholder' | 'list' | 'size' | 'min' | 'max' | 'step' | 'required' | 'autofocus' | 'name'
>

/** A labelled input of one line. Other props are attributes of the input. Its error is shown below. */
export function Field({ label, value, change, error, ...attributes }: FieldProps) {
  const id = useId()
  return (
    <div class={styles.field}>
      <label for={id}>{label}</label>
      <input
        {...attributes}
        id={id}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {error !== undefined && (
        <span id={`${id}-error`} class={styles.error}>
          {error}
        </span>
      )}
    </div>
  )
}

type TextFieldProps = Pick<FieldProps, 'label' | 'value' | 'change' | 'error' | 'placeholder'> & { rows: number }

/** A labelled input of `rows` lines. Its error is shown below. */
export function TextField({ label, value, change, error, rows, placeholder }: TextFieldProps) {
  const id = useId()
  return (
    <div class={styles.field}>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        placeholder={placeholder}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {error !== undefined && (
        <span id={`${id}-error`} class={styles.error}>
          {error}
        </span>
      )}
    </div>
  )
}

type SelectProps<T extends string> = {
  label: string
  value: T
  change(value: T): void
  options: readonly (readonly [value: T, title: string])[]
}

/** A labelled select field. `change` is called with the value of the chosen option. */
export function Select<T extends string>({ label, value, change, options }: SelectProps<T>) {
  const id = useId()
  return (
    <div class={styles.field}>
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => change(currentTarget.value as T)}>
        {options.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

type CheckboxProps = {
  label: string
  checked: boolean
  change(to: boolean): void
  /** The tooltip. */
  title?: string
}

/** A labelled checkbox. `change` is called with the new state. */
export const Checkbox = ({ label, checked, change, title }: CheckboxProps) => (
  <label class={styles.check} title={title}>
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => change(currentTarget.checked)} /> {label}
  </label>
)

/** Returns the number in a text; undefined if the text is empty. Other text is returned as it is, so that the server rejects it. */
export const parseNumber = (text: string): number | string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}
