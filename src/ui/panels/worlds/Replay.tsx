import { useState } from 'preact/hooks'
import { callControl } from '../../api/client.ts'
import { ALL_METHODS } from '../../api/eventStream.ts'
import type { HistoricChange, RecordedCall } from '../../api/types.ts'
import { JsonText } from '../../components/JsonText.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import { type Query, useLoader } from '../../hooks/useQuery.ts'
import { openWorld } from '../../route.ts'
import { type Step, StepCalendar } from './StepCalendar.tsx'

function useSteps(world: string): Query<readonly Step[]> {
  return useLoader(`steps of ${world}`, async (signal) => {
    const options = { world, signal }
    const [{ data: journal }, { data: history }] = await Promise.all([
      callControl<{ calls: RecordedCall[] }>('GET', '/calls', { ...options, query: { method: ALL_METHODS } }),
      callControl<{ changes: HistoricChange[] }>('GET', '/changes', options),
    ])
    const parents = new Map(journal.calls.map(({ n, toolCall = n }) => [n, toolCall]))
    const stepOf = ({ call = 0 }: HistoricChange) => parents.get(call) ?? call
    return journal.calls
      .filter(({ method, toolCall, inspector }) => method !== 'mcp' && toolCall === undefined && !inspector)
      .sort((a, b) => a.n - b.n)
      .map((call) => {
        const later = history.changes.find((one) => stepOf(one) > call.n)
        const changes = history.changes.filter((one) => stepOf(one) === call.n)
        return { call, changes, until: later && later.revision - 1 }
      })
  })
}

/** `event “Lunch” of alice@example.com: location "Room 1" → "Room 2"` */
function formatChange({ change, kind, title, calendarId, fields }: HistoricChange): string {
  const values = Object.entries(fields).map(
    ([name, [before, after]]) => `${name} ${JSON.stringify(before) ?? 'none'} → ${JSON.stringify(after) ?? 'none'}`,
  )
  const place = calendarId === undefined ? '' : ` of ${calendarId}`
  return `${kind} “${title}”${place}: ${change === 'changed' ? values.join('; ') : change}`
}

/** The requests of a world, one by one, with what each of them changed and the calendar after it. */
export function Replay({ world }: { world: string }) {
  const steps = useSteps(world)
  return (
    <section aria-label="Requests, step by step">
      <h3>Requests, step by step</h3>
      <QueryView query={steps}>{(list) => <StepView world={world} steps={list} />}</QueryView>
    </section>
  )
}

function StepView({ world, steps }: { world: string; steps: readonly Step[] }) {
  const [index, setIndex] = useState(0)
  const step = steps[index]
  if (!step) return <p class="muted">No requests of programs.</p>
  const { n, method, verb, path, status, body, params, response } = step.call
  return (
    <>
      <div class="actions">
        <button type="button" disabled={index === 0} onClick={() => setIndex(index - 1)}>
          Previous
        </button>
        <button type="button" disabled={index === steps.length - 1} onClick={() => setIndex(index + 1)}>
          Next
        </button>
        <span role="status">
          {index + 1} of {steps.length}: <strong>{method}</strong> <StatusPill status={status} />
        </span>
        <button type="button" class="link" onClick={() => openWorld(world, { panel: 'requests', item: String(n) })}>
          Show request {n}
        </button>
      </div>
      <ul aria-label="Changes of the request">
        {step.changes.map((one) => (
          <li key={`${one.revision} ${one.kind} ${one.calendarId} ${one.id}`}>{formatChange(one)}</li>
        ))}
        {step.changes.length === 0 && <li>No changes.</li>}
      </ul>
      <StepCalendar world={world} steps={steps.slice(0, index + 1)} />
      <JsonText label="Request and response" value={{ [`${verb} ${path}`]: body ?? params, response }} />
    </>
  )
}
