import { useTimeFormat } from '../../account.ts'
import type { ClockState, Fired } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { useTicking } from '../../hooks/useTicking.ts'
import styles from './WorldClock.module.css'

export const CLOCK_MODES = {
  real: { title: 'Real', description: "It follows the machine's clock." },
  set: { title: 'Set', description: 'It runs from the time it was set to.' },
  frozen: { title: 'Frozen', description: 'It stands still.' },
} as const

const STEPS = [
  { by: '1h', title: '+1 h', label: '+1 h: advance the clock by an hour' },
  { by: '1d', title: '+1 d', label: '+1 d: advance the clock by a day' },
  { by: '1w', title: '+1 w', label: '+1 w: advance the clock by a week' },
]

export type Advanced = ClockState & { fired: Fired[] }

const MAX_LISTED = 3

/** Lists the first three actions that became due, with their errors. */
export const advancedText =
  (format: (instant: string) => string) =>
  ({ now, fired }: Advanced): string => {
    const listed = fired.slice(0, MAX_LISTED).map(({ what, error }) => (error ? `${what} (failed: ${error})` : what))
    const due = `${fired.length} became due: ${listed.join(', ')}${fired.length > MAX_LISTED ? ', …' : '.'}`
    return `The clock shows ${format(now)}. ${fired.length === 0 ? 'Nothing became due.' : due}`
  }

/** Nothing is shown until the clock is read, or if that fails. */
export function WorldClock() {
  const { data } = useQuery<ClockState>('/clock')
  return data ? <ClockReading state={data} /> : null
}

function ClockReading({ state }: { state: ClockState }) {
  const control = useControlAction()
  const format = useTimeFormat()
  const now = useTicking(state)
  const [date, time] = format.instant(now).split(', ')
  return (
    <fieldset class={styles.clock} aria-label="World clock">
      <time dateTime={now} class={styles.time}>
        <span>{date},</span> <span>{time}</span>
      </time>
      <span class="pill info" title={CLOCK_MODES[state.mode].description}>
        {CLOCK_MODES[state.mode].title}
      </span>
      <span class={`segments ${styles.steps}`}>
        {STEPS.map(({ by, title, label }) => (
          <Button
            key={by}
            label={label}
            run={() => control<Advanced>('POST', '/clock/advance', advancedText(format.instant), { by })}
          >
            {title}
          </Button>
        ))}
      </span>
    </fieldset>
  )
}
