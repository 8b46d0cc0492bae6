import { useState } from 'preact/hooks'
import type {
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceState,
  PendingConference,
} from '../../wire/conferencePolicy.ts'
import { instant } from '../moments.ts'
import { Button } from '../parts/button.tsx'
import { Shown } from '../parts/shown.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useControl } from '../reading.ts'
import { steer } from '../steer.ts'

const CONFERENCES = '/conferences'

/** When requests are answered. What `delay` and `reads` need is asked for beside them. */
const MODES: Record<ConferenceMode, string> = {
  nextRequest: 'with the next request',
  immediate: 'at once',
  delay: 'after a time',
  reads: 'after so many reads',
  manual: 'when I say so',
}

/** How requests for conferences are answered, and which are still open. */
export default function Conferences() {
  const read = useControl<ConferenceState>(CONFERENCES)
  return (
    <Shown read={read}>
      {({ policy = {}, rules = [], pending = [] }) => (
        <>
          <Policy policy={policy} />
          <Table
            caption="Rules for some requests"
            rows={rules}
            keyOf={(_, at) => at}
            none="All requests are answered alike."
            columns={RULE}
          />
          <Table
            caption="Open requests"
            rows={pending}
            keyOf={({ calendarId, eventId, requestId }) => `${calendarId} ${eventId} ${requestId}`}
            none="No request waits for its answer."
            columns={PENDING}
          />
        </>
      )}
    </Shown>
  )
}

type Outcome = 'success' | 'failure'

function Policy({ policy }: { policy: ConferencePolicy }) {
  const [mode, setMode] = useState<ConferenceMode>(policy.mode ?? 'nextRequest')
  const [outcome, setOutcome] = useState<Outcome>(policy.outcome ?? 'success')
  const [delay, setDelay] = useState(String(policy.delay ?? '5s'))
  const [reads, setReads] = useState(String(policy.reads ?? 2))
  const next: ConferencePolicy = {
    mode,
    outcome,
    ...(mode === 'delay' && { delay }),
    ...(mode === 'reads' && { reads: Number(reads) }),
  }
  const set = () => steer('PUT', CONFERENCES, 'Requests for conferences are answered so from here on', next)
  const failNext = () =>
    steer('POST', `${CONFERENCES}/expect`, 'The next request fails', { times: 1, outcome: 'failure' })
  return (
    <fieldset class="actions" aria-label="How requests are answered">
      <label>
        Requests are answered{' '}
        <select value={mode} onChange={({ currentTarget }) => setMode(currentTarget.value as ConferenceMode)}>
          {Object.entries(MODES).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {mode === 'delay' && (
        <label>
          Time <input size={6} value={delay} onInput={({ currentTarget }) => setDelay(currentTarget.value)} />
        </label>
      )}
      {mode === 'reads' && (
        <label>
          Reads{' '}
          <input type="number" min={1} value={reads} onInput={({ currentTarget }) => setReads(currentTarget.value)} />
        </label>
      )}
      <label>
        Outcome{' '}
        <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome)}>
          <option value="success">success</option>
          <option value="failure">failure</option>
        </select>
      </label>
      <Button class="primary" act={set}>
        Set
      </Button>
      <Button act={failNext}>Fail the next one</Button>
    </fieldset>
  )
}

const RULE: readonly Column<ConferenceRule>[] = [
  {
    title: 'Of',
    cell: ({ requestId, eventId, times = 1 }) =>
      requestId ? `request ${requestId}` : eventId ? `event ${eventId}` : `the next ${times}`,
  },
  { title: 'Answered', cell: ({ mode, delay, reads }) => mode ?? (reads ? `after ${reads} reads` : (delay ?? '')) },
  { title: 'Outcome', cell: ({ outcome = 'success' }) => outcome },
]

const settle = ({ requestId, eventId }: PendingConference, outcome: Outcome): Promise<unknown> =>
  steer('POST', `${CONFERENCES}/settle`, `Answered request ${requestId}: ${outcome}`, { requestId, eventId, outcome })

const PENDING: readonly Column<PendingConference>[] = [
  { title: 'Calendar', cell: ({ calendarId }) => calendarId },
  { title: 'Event', cell: ({ eventId }) => eventId },
  { title: 'Request', cell: ({ requestId }) => requestId },
  {
    title: 'Due',
    cell: ({ due, reads, nextRequest }) =>
      due ? instant(due) : reads ? `after ${reads} reads` : nextRequest ? 'with the next request' : 'when you say so',
  },
  { title: 'Outcome', cell: ({ outcome }) => outcome },
  {
    title: 'Answer now',
    cell: (pending) => (
      <div class="actions">
        <Button act={() => settle(pending, 'success')}>Success</Button>
        <Button act={() => settle(pending, 'failure')}>Failure</Button>
      </div>
    ),
  },
]
