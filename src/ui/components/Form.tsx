import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import styles from './Form.module.css'

type Props = {
  label: string
  submit: string
  /** Until its promise settles, the button is disabled. An error is shown below the form. */
  run(): unknown
  children: ComponentChildren
  actions?: ComponentChildren
  isPrimary?: boolean
}

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
  error?: string | undefined
} & Pick<
  InputHTMLAttributes,
  'type' | 'placeholder' | 'list' | 'size' | 'min' | 'max' | 'step' | 'required' | 'autofocus' | 'name'
>

/** Other props are attributes of the input. */
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
  title?: string
}

export const Checkbox = ({ label, checked, change, title }: CheckboxProps) => (
  <label class={styles.check} title={title}>
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => change(currentTarget.checked)} /> {label}
  </label>
)

/** Text that is no number stays, so that the server rejects it; undefined if empty. */
export const parseNumber = (text: string): number | string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}
