import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type {
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceState,
  PendingConference,
} from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form, Select } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import styles from './ConferencesPanel.module.css'

const CONFERENCES = '/conferences'

type Outcome = 'success' | 'failure'

const MODES: readonly (readonly [ConferenceMode, string])[] = [
  ['nextRequest', 'With the next request'],
  ['immediate', 'Immediately'],
  ['delay', 'After a delay'],
  ['reads', 'After some reads'],
  ['manual', 'Manually'],
]
const formatMode = (mode: ConferenceMode): string => MODES.find(([name]) => name === mode)?.[1] ?? mode

const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ['success', 'Success'],
  ['failure', 'Failure'],
]

export default function ConferencesPanel() {
  const query = useQuery<ConferenceState>(CONFERENCES)
  return (
    <QueryView query={query}>
      {({ policy = {}, rules = [], pending = [] }) => (
        <div class={styles.panel}>
          <section class="card" aria-label="Answers">
            <h2>Answers</h2>
            <PolicyForm policy={policy} />
          </section>
          <section class="card" aria-label="Open requests">
            <PendingTable pending={pending} />
          </section>
          <section class="card" aria-label="Rules">
            <Table
              caption="Rules for some requests"
              rows={rules}
              keyOf={(_, index) => index}
              empty="No rules: all requests are answered in the same way."
              columns={RULE_COLUMNS}
            />
          </section>
        </div>
      )}
    </QueryView>
  )
}

function PolicyForm({ policy }: { policy: ConferencePolicy }) {
  const control = useControlAction()
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
  const failNext = () =>
    control('POST', `${CONFERENCES}/expect`, 'The next conference request fails', { times: 1, outcome: 'failure' })
  return (
    <Form
      label="Answers to conference requests"
      submit="Set"
      isPrimary
      run={() => control('PUT', `${CONFERENCES}/policy`, 'The answers to conference requests are set', next)}
      actions={<Button run={failNext}>Fail the next request</Button>}
    >
      <Select label="Answer" value={mode} change={(next) => setMode(next)} options={MODES} />
      {mode === 'delay' && <Field label="Delay" value={delay} change={setDelay} size={6} placeholder="5s" />}
      {mode === 'reads' && <Field label="Reads" type="number" min={1} value={reads} change={setReads} />}
      <Select label="Outcome" value={outcome} change={(next) => setOutcome(next)} options={OUTCOMES} />
    </Form>
  )
}

const RULE_COLUMNS: readonly Column<ConferenceRule>[] = [
  {
    title: 'Requests',
    cell: ({ requestId, eventId, times = 1 }) =>
      requestId ? `Request ${requestId}` : eventId ? `Event ${eventId}` : `The next ${times}`,
  },
  {
    title: 'Answer',
    cell: ({ mode, delay, reads }) =>
      mode ? formatMode(mode) : reads ? `After ${reads} reads` : (delay ?? 'As above'),
  },
  { title: 'Outcome', cell: ({ outcome = 'success' }) => outcome },
]

function PendingTable({ pending }: { pending: readonly PendingConference[] }) {
  const control = useControlAction()
  const format = useTimeFormat()
  const settle = ({ requestId, eventId }: PendingConference, outcome: Outcome) =>
    control('POST', `${CONFERENCES}/settle`, `Answered request ${requestId}: ${outcome}`, {
      ...{ requestId, eventId, outcome },
    })
  const columns: readonly Column<PendingConference>[] = [
    { title: 'Calendar', cell: ({ calendarId }) => calendarId },
    { title: 'Event', cell: ({ eventId }) => eventId, breakable: true },
    { title: 'Request', cell: ({ requestId }) => requestId, breakable: true },
    {
      title: 'Due',
      cell: ({ due, reads, nextRequest }) =>
        due ? format.instant(due) : reads ? `After ${reads} reads` : nextRequest ? 'With the next request' : 'Manually',
    },
    { title: 'Outcome', cell: ({ outcome }) => outcome },
    {
      title: 'Answer now',
      actions: true,
      cell: (one) => (
        <div class="actions">
          <Button run={() => settle(one, 'success')}>Success</Button>
          <Button run={() => settle(one, 'failure')}>Failure</Button>
        </div>
      ),
    },
  ]
  return (
    <Table
      caption="Open requests"
      rows={pending}
      keyOf={({ calendarId, eventId, requestId }) => `${calendarId} ${eventId} ${requestId}`}
      empty="No open requests. Insert an event with conferenceData.createRequest to get one."
      columns={columns}
    />
  )
}
