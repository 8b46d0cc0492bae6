import './fields.css'
import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import { type Refused, refusalOf } from '../refused.ts'
import { Notice } from './notice.tsx'

type Props = {
  /** What the form is for, to whoever cannot see what is around it. */
  label: string
  /** What the button says. */
  title: string
  act(): unknown
  children: ComponentChildren
  /** Other buttons, for other things that are done with the same fields. */
  beside?: ComponentChildren
  primary?: true
}

/** Fields, and what is done with them: by its button, or by Enter in one of them. */
export function Fields({ label, title, act, children, beside, primary }: Props) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setRefused(undefined)
    try {
      await act()
    } catch (error) {
      setRefused(refusalOf(error))
    }
    setBusy(false)
  }
  return (
    <form class="fields" aria-label={label} onSubmit={(event) => void submit(event)}>
      {children}
      <button type="submit" class={primary && 'primary'} aria-busy={busy} disabled={busy}>
        {title}
      </button>
      {beside}
      {refused && <Notice refused={refused} />}
    </form>
  )
}

type FieldProps = { label: string; value: string; change(value: string): void } & Pick<
  InputHTMLAttributes,
  'type' | 'placeholder' | 'list' | 'size' | 'min' | 'step' | 'required'
>

/** One line that is asked for. */
export const Field = ({ label, value, change, ...more }: FieldProps) => (
  <label>
    {label}
    <input {...more} value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />
  </label>
)

/** A number that was said, none where nothing was; what is no number is for the service to refuse. */
export const numberIn = (text: string): number | string | undefined => {
  const said = text.trim()
  if (said === '') return undefined
  return Number.isFinite(Number(said)) ? Number(said) : said
}
