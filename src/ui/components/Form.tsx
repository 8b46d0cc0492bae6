import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import styles from './Form.module.css'

type Props = {
  /** The accessible name of the form. */
  label: string
  /** The text of the button. */
  submit: string
  run(): unknown
  children: ComponentChildren
  /** Further buttons. */
  actions?: ComponentChildren
  isPrimary?: boolean
}

/** A row of fields with a button. Enter submits it, and an error is shown below. */
export function Form({ label, submit, run, children, actions, isPrimary = false }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError>()
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
  change(value: string): void
  /** The error of the value. */
  error?: string | undefined
} & Pick<
  InputHTMLAttributes,
  'type' | 'placeholder' | 'list' | 'size' | 'min' | 'max' | 'step' | 'required' | 'autofocus' | 'name'
>

/** A labelled input. Its error is shown below, and read by screen readers. */
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

/** A labelled input of several lines. */
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

/** A labelled choice. */
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

/** A labelled tick. */
export const Checkbox = ({
  label,
  checked,
  change,
}: {
  label: string
  checked: boolean
  change(to: boolean): void
}) => (
  <label class={styles.check}>
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => change(currentTarget.checked)} /> {label}
  </label>
)

/** Returns the number in a text, and undefined if it is empty. Other text is returned for the server to reject. */
export const parseNumber = (text: string): number | string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}
