import type { ComponentChildren } from 'preact'
import { useRun } from '../hooks/useRun.ts'
import { ask, type Rank } from './ask.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Icon, type IconName } from './Icon.tsx'

type Props = {
  children?: ComponentChildren
  /** The button is disabled until the promise settles. An error is shown after the button. */
  run(): unknown
  /** The question of a dialog that is shown first. */
  confirm?: string
  rank?: Rank
  icon?: IconName
  disabled?: boolean
  label?: string
  /** The chosen one of several answers. */
  pressed?: boolean
}

export function Button({ children, run: action, confirm, rank, icon, disabled = false, label, pressed }: Props) {
  const { isBusy, error, run } = useRun()
  const start = async () => {
    const choice = { value: true, title: children ?? label, rank: rank === 'danger' ? rank : 'primary' } as const
    if (confirm === undefined || (await ask(confirm, [choice]))) await run(action)
  }
  return (
    <>
      <button
        type="button"
        class={rank}
        disabled={disabled || isBusy}
        aria-busy={isBusy}
        aria-label={label}
        aria-pressed={pressed}
        title={children === undefined ? label : undefined}
        onClick={() => void start()}
      >
        {icon && <Icon name={icon} />}
        {children}
      </button>
      {error && <ErrorNotice error={error} />}
    </>
  )
}
