import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import { useRun } from '../hooks/useRun.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import styles from './Form.module.css'

type Props = {
  label: string
  submit: string
  /** The button is disabled until the promise settles. An error is shown below the form. */
  run(): unknown
  children: ComponentChildren
  actions?: ComponentChildren
  isPrimary?: boolean
}

export function Form({ label, submit, run: action, children, actions, isPrimary = false }: Props) {
  const { isBusy, error, run } = useRun()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void run(action)
  }
  return (
    <form class={`row ${styles.form}`} aria-label={label} onSubmit={onSubmit}>
      {children}
      <div class="actions">
        <button type="submit" class={isPrimary ? 'primary' : undefined} aria-busy={isBusy} disabled={isBusy}>
          {submit}
        </button>
        {actions}
      </div>
      {error && <ErrorNotice error={error} />}
    </form>
  )
}

const Labelled = ({ id, label, children }: { id: string; label: string; children: ComponentChildren }) => (
  <div class={styles.field}>
    <label for={id}>{label}</label>
    {children}
  </div>
)

type FieldProps = { label: string; value: string; change(value: string): void }

type Attributes = Omit<InputHTMLAttributes, keyof FieldProps | 'rows'> & { rows?: number; choices?: Choices }
/** Values, each with a text beside it, which the browser proposes. Any other may be typed. */
type Choices = readonly (readonly [value: string, title?: ComponentChildren])[]

/** Other props are attributes of the input. With `rows`, it has several lines. `choices` need a `list`, their id. */
export function Field({ label, change, choices, ...attributes }: FieldProps & Attributes) {
  const id = useId()
  const Input = (attributes.rows ? 'textarea' : 'input') as 'input'
  return (
    <Labelled id={id} label={label}>
      <Input {...attributes} id={id} onInput={({ currentTarget }) => change(currentTarget.value)} />
      {choices && (
        <datalist id={String(attributes.list)}>
          {choices.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </datalist>
      )}
    </Labelled>
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
    <Labelled id={id} label={label}>
      <select id={id} value={value} onChange={({ currentTarget }) => change(currentTarget.value as T)}>
        {options.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </Labelled>
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
