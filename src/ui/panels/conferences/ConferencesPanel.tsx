import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { ConferenceMode, ConferencePolicy, ConferenceState, PendingConference } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form, Select } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { Card, Cards, TableCard } from '../TableCard.tsx'

type Outcome = 'success' | 'failure'

const MODES: readonly (readonly [ConferenceMode, string])[] = [
  ['nextRequest', 'With the next request'],
  ['immediate', 'Immediately'],
  ['delay', 'After a delay'],
  ['reads', 'After some reads'],
  ['manual', 'Manually'],
]

export default function ConferencesPanel() {
  const control = useControlAction()
  const format = useTimeFormat()
  const query = useQuery<ConferenceState>('/conferences')
  const settle = ({ requestId, eventId }: PendingConference, outcome: Outcome) => {
    const message = `Answered request ${requestId}: ${outcome}`
    return control('POST', '/conferences/settle', message, { requestId, eventId, outcome })
  }
  return (
    <QueryView query={query}>
      {({ policy = {}, rules = [], pending = [] }) => (
        <Cards>
          <Card title="Answers">
            <PolicyForm policy={policy} />
          </Card>
          <TableCard
            title="Open requests"
            rows={pending}
            keyOf={({ requestId }) => requestId}
            empty="No open requests. Insert an event with conferenceData.createRequest to get one."
            columns={[
              { title: 'Calendar', cell: ({ calendarId }) => calendarId },
              { title: 'Event', cell: ({ eventId }) => eventId, breakable: true },
              { title: 'Request', cell: ({ requestId }) => requestId, breakable: true },
              {
                title: 'Due',
                cell: ({ due, reads, nextRequest }) =>
                  due ? format.instant(due) : formatAnswer({ reads, mode: nextRequest ? 'nextRequest' : 'manual' }),
              },
              { title: 'Outcome', cell: ({ outcome }) => outcome },
            ]}
            actions={(one) => [
              { title: 'Success', run: () => settle(one, 'success') },
              { title: 'Failure', run: () => settle(one, 'failure') },
            ]}
          />
          <TableCard
            title="Rules for some requests"
            rows={rules}
            keyOf={(_, index) => index}
            empty="No rules: all requests are answered in the same way."
            columns={[
              {
                title: 'Requests',
                cell: ({ requestId, eventId, times = 1 }) =>
                  requestId ? `Request ${requestId}` : eventId ? `Event ${eventId}` : `The next ${times}`,
              },
              { title: 'Answer', cell: (rule) => formatAnswer(rule) },
              { title: 'Outcome', cell: ({ outcome = 'success' }) => outcome },
            ]}
          />
        </Cards>
      )}
    </QueryView>
  )
}

function formatAnswer({ mode, delay, reads }: ConferencePolicy): string {
  if (reads) return `After ${reads} reads`
  return MODES.find(([name]) => name === mode)?.[1] ?? String(delay ?? 'As above')
}

function PolicyForm({ policy }: { policy: ConferencePolicy }) {
  const control = useControlAction()
  const [mode, setMode] = useState<ConferenceMode>(policy.mode ?? 'nextRequest')
  const [outcome, setOutcome] = useState<Outcome>(policy.outcome ?? 'success')
  const [delay, setDelay] = useState(String(policy.delay ?? '5s'))
  const [reads, setReads] = useState(String(policy.reads ?? 2))
  const next: ConferencePolicy = {
    ...{ mode, outcome },
    ...(mode === 'delay' && { delay }),
    ...(mode === 'reads' && { reads: Number(reads) }),
  }
  const failure = { times: 1, outcome: 'failure' }
  return (
    <Form
      label="Answers to conference requests"
      submit="Set"
      isPrimary
      run={() => control('PUT', '/conferences/policy', 'The answers to conference requests are set', next)}
      actions={
        <Button run={() => control('POST', '/conferences/expect', 'The next conference request fails', failure)}>
          Fail the next request
        </Button>
      }
    >
      <Select label="Answer" value={mode} change={(name) => setMode(name)} options={MODES} />
      {mode === 'delay' && <Field label="Delay" value={delay} change={setDelay} size={6} placeholder="5s" />}
      {mode === 'reads' && <Field label="Reads" type="number" min={1} value={reads} change={setReads} />}
      <Select
        label="Outcome"
        value={outcome}
        change={(name) => setOutcome(name)}
        options={[
          ['success', 'Success'],
          ['failure', 'Failure'],
        ]}
      />
    </Form>
  )
}
