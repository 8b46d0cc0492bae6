import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { ClockMode, ClockState, NumberedMail } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { useTicking } from '../../hooks/useTicking.ts'
import { useSession } from '../../session.ts'
import { type Advanced, advancedText, CLOCK_MODES } from '../../shell/WorldClock.tsx'
import { Section } from './Section.tsx'
import styles from './WorldPanel.module.css'

const MODE_BUTTONS: readonly (readonly [ClockMode, string])[] = [
  ['frozen', 'Freeze'],
  ['set', 'Run'],
  ['real', 'Use real time'],
]
const STEPS = ['1m', '15m', '1h', '1d', '1w']

export function ClockSection() {
  const query = useQuery<ClockState>('/clock')
  return (
    <Section id="clock" title="Clock">
      <QueryView query={query}>{(state) => <ClockControls state={state} />}</QueryView>
    </Section>
  )
}

function ClockControls({ state }: { state: ClockState }) {
  const control = useControlAction()
  const format = useTimeFormat()
  const now = useTicking(state)
  const [advanced, setAdvanced] = useState<Advanced>()
  const [duration, setDuration] = useState('')
  const [instant, setInstant] = useState('')
  const formatClockToast = ({ now: time }: ClockState) => `The clock shows ${format.instant(time)}`
  const set = async (body: Partial<ClockState>) =>
    setAdvanced(await control<Advanced>('PUT', '/clock', formatClockToast, body))
  const advance = async (body: { by?: string; to?: string }) =>
    setAdvanced(await control<Advanced>('POST', '/clock/advance', advancedText(format.instant), body))
  // Browsers leave out the seconds of the field's value if they are 0.
  const utc = `${instant}${instant.length === 16 ? ':00' : ''}Z`
  return (
    <>
      <div>
        <time dateTime={now} class={styles.now}>
          {format.instant(now)}
        </time>
        <div class="muted">
          {CLOCK_MODES[state.mode].title}. {CLOCK_MODES[state.mode].description} In UTC:{' '}
          {now.slice(0, 19).replace('T', ' ')}
        </div>
      </div>
      <fieldset class="actions" aria-label="Mode of the clock">
        {MODE_BUTTONS.map(([mode, title]) => (
          <Button key={mode} disabled={mode === state.mode} run={() => set({ mode })}>
            {title}
          </Button>
        ))}
      </fieldset>
      <fieldset class="actions" aria-label="Advance the clock">
        <span>Advance by</span>
        {STEPS.map((step) => (
          <Button key={step} label={`Advance by ${step}`} run={() => advance({ by: step })}>
            {step}
          </Button>
        ))}
      </fieldset>
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
      {advanced && <DueActions advanced={advanced} />}
    </>
  )
}

const ADDRESS = /[^\s@<>]+@[^\s@<>]+\.\w+/g

/** Addresses are replaced by names, and event ids by titles. */
function DueActions({ advanced: { fired, stampsFrom } }: { advanced: Advanced }) {
  const { overview } = useSession()
  const format = useTimeFormat()
  const nameOf = (email: string): string =>
    overview.value?.accounts.find((one) => one.email === email)?.displayName ?? email
  const { data } = useQuery<{ mail: NumberedMail[] }>('/mail')
  const withTitle = (what: string): string =>
    what.replace(/^(reminder of )(\S+)/, (text, words: string, id: string) => {
      const title = data?.mail.find(({ eventId }) => eventId === id || eventId?.startsWith(`${id}_`))?.summary
      return title === undefined ? text : `${words}“${title}”`
    })
  return (
    <div role="status" class={styles.fired}>
      <h3>What became due</h3>
      {fired.length === 0 && <p class="muted">Nothing</p>}
      <ul>
        {fired.map(({ what, at, error }, index) => (
          <li key={`${index} ${at}`}>
            <time dateTime={at}>{format.instant(at)}</time>: {withTitle(what.replace(ADDRESS, nameOf))}
            {error !== undefined && <strong class="bad"> failed: {error}</strong>}
          </li>
        ))}
      </ul>
      {stampsFrom !== undefined && (
        <p class="muted">Clients have written until {format.instant(stampsFrom)}. Later writes get later timestamps.</p>
      )}
    </div>
  )
}
