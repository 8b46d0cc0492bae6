import { useState } from 'preact/hooks'
import type { ClockMode, ClockState, Fired } from '../../time/clock.ts'
import { Button } from '../parts/button.tsx'
import { Field, Fields } from '../parts/fields.tsx'
import { Shown } from '../parts/shown.tsx'
import { steer } from '../steer.ts'
import { Part } from './part.tsx'
import { useTicking } from './ticking.ts'
import { useWatched } from './watching.ts'

const MODES = {
  frozen: { said: 'frozen: it stands still', turn: 'Freeze' },
  set: { said: 'running, from where it was set', turn: 'Run' },
  real: { said: "running with the machine's time", turn: 'Follow the machine' },
} as const satisfies Record<ClockMode, object>
const TURNS = Object.entries(MODES) as [ClockMode, (typeof MODES)[ClockMode]][]

const STEPS = ['1m', '15m', '1h', '1d', '1w']

type Moved = ClockState & { fired: Fired[]; stampsFrom?: string }

/** An instant in UTC as one reads it. */
const read = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`

/** The world's clock, and what fell due when it was last moved from here. */
export function ClockPart() {
  const state = useWatched<ClockState>('/clock')
  return (
    <Part id="clock" title="Clock">
      <Shown read={state}>{(shown) => <Steered state={shown} />}</Shown>
    </Part>
  )
}

function Steered({ state }: { state: ClockState }) {
  const now = useTicking(state)
  const [moved, setMoved] = useState<Moved>()
  const [by, setBy] = useState('')
  const [to, setTo] = useState('')
  const said = ({ now }: Moved) => `The clock shows ${read(now)}`
  const turn = async (body: Partial<ClockState>) => setMoved(await steer<Moved>('PUT', '/clock', said, body))
  const advance = async (body: { by?: string; to?: string }) =>
    setMoved(await steer<Moved>('POST', '/clock/advance', said, body))
  // What is chosen in the field is meant as the world's time in UTC, as the clock shows it.
  const instant = `${to}${to.length === 16 ? ':00' : ''}Z`
  return (
    <>
      <p class="now">
        <time dateTime={now}>{read(now)}</time> <span class="hint">{MODES[state.mode].said}</span>
      </p>
      <fieldset class="actions">
        <legend class="unseen">How the clock goes</legend>
        {TURNS.map(([mode, { turn: title }]) => (
          <Button key={mode} disabled={mode === state.mode} act={() => turn({ mode })}>
            {title}
          </Button>
        ))}
      </fieldset>
      <fieldset class="actions">
        <legend class="unseen">Advance the clock</legend>
        <span>Advance</span>
        {STEPS.map((step) => (
          <Button key={step} label={`Advance by ${step}`} act={() => advance({ by: step })}>
            {step}
          </Button>
        ))}
      </fieldset>
      <Fields label="Advance by a duration" title="Advance" act={() => advance({ by: by.trim() })}>
        <Field label="By" value={by} change={setBy} placeholder="1h30m" size={8} required />
      </Fields>
      <Fields
        label="Set the clock"
        title="Set"
        act={() => turn({ now: instant })}
        beside={
          <Button disabled={to === ''} act={() => advance({ to: instant })}>
            Advance to
          </Button>
        }
      >
        <Field label="To (UTC)" type="datetime-local" step={1} value={to} change={setTo} required />
      </Fields>
      {moved && <FellDue moved={moved} />}
    </>
  )
}

const FellDue = ({ moved: { fired, stampsFrom } }: { moved: Moved }) => (
  <div role="status" class="fell">
    <h3>What fell due</h3>
    {fired.length === 0 && <p class="none">Nothing</p>}
    <ul>
      {fired.map(({ what, at, error }, number) => (
        <li key={`${number} ${at}`}>
          <time dateTime={at}>{read(at)}</time> {what}
          {error !== undefined && <strong class="bad"> failed: {error}</strong>}
        </li>
      ))}
    </ul>
    {stampsFrom !== undefined && (
      <p class="hint">Clients have written up to {read(stampsFrom)}: stamps of what is written go on from there.</p>
    )}
  </div>
)
