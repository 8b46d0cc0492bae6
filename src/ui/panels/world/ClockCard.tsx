import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { ClockMode, ClockState } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { useTicking } from '../../hooks/useTicking.ts'
import { type Advanced, advancedText, CLOCK_MODES } from '../../shell/WorldClock.tsx'
import { Card } from '../TableCard.tsx'

const MODE_BUTTONS: readonly (readonly [ClockMode, string])[] = [
  ['frozen', 'Freeze'],
  ['set', 'Run'],
  ['real', 'Use real time'],
]

export function ClockCard() {
  const query = useQuery<ClockState>('/clock')
  return (
    <Card title="Clock">
      <QueryView query={query}>{(state) => <ClockControls {...state} />}</QueryView>
    </Card>
  )
}

function ClockControls(state: ClockState) {
  const { mode } = state
  const time = useTicking(state)
  const control = useControlAction()
  const format = useTimeFormat()
  const [duration, setDuration] = useState('')
  const [instant, setInstant] = useState('')
  const set = (body: Partial<ClockState>) =>
    control<ClockState>('PUT', '/clock', ({ now }) => `The clock shows ${format.instant(now)}`, body)
  const advance = (body: { by?: string; to?: string }) =>
    control<Advanced>('POST', '/clock/advance', advancedText(format.instant), body)
  // Browsers leave out the seconds of the field's value if they are 0.
  const utc = `${instant}${instant.length === 16 ? ':00' : ''}Z`
  return (
    <>
      <div class="actions">
        {MODE_BUTTONS.map(([name, title]) => (
          <Button key={name} disabled={name === mode} run={() => set({ mode: name })}>
            {title}
          </Button>
        ))}
        <span class="muted">
          {CLOCK_MODES[mode].title}. {CLOCK_MODES[mode].description} In UTC: {time.slice(0, 19).replace('T', ' ')}
        </span>
      </div>
      <Form label="Advance by a duration" submit="Advance" run={() => advance({ by: duration.trim() })}>
        <Field label="Duration" value={duration} change={setDuration} placeholder="1h30m" size={8} required />
      </Form>
      <Form
        label="Set the clock"
        submit="Set"
        run={() => set({ now: utc })}
        actions={
          <Button disabled={instant === ''} run={() => advance({ to: utc })}>
            Advance to
          </Button>
        }
      >
        <Field label="Time in UTC" type="datetime-local" step={1} value={instant} change={setInstant} required />
      </Form>
    </>
  )
}
