import { useState } from 'preact/hooks'
import { callControl } from '../../api/client.ts'
import { FAULT_NAMES } from '../../api/shared.ts'
import type { FaultView } from '../../api/types.ts'
import { Field, Form, parseNumber, Select } from '../../components/Form.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useLoader } from '../../hooks/useQuery.ts'
import { useSession } from '../../session.ts'
import { EFFECTS, toEffect } from './effects.ts'

const INITIAL = {
  ...{ effect: 'fail', error: 'backendError503', amount: '', retryAfter: '', on: 'events.insert' },
  ...{ account: '', calendarId: '', times: '', skip: '', every: '', probability: '' },
}

export function FaultForm() {
  const control = useControlAction()
  const { overview } = useSession()
  const { data: methods = [] } = useLoader('methods of faults', readMethods)
  const [values, setValues] = useState(INITIAL)
  const field = (name: keyof typeof INITIAL) => ({
    value: values[name],
    change: (value: string) => setValues((known) => ({ ...known, [name]: value })),
  })
  const amount = EFFECTS.find(({ id }) => id === values.effect)?.amount
  const on = values.on.split(',').map((name) => name.trim())
  const fault = {
    on: on.length === 1 ? on[0] : on,
    account: values.account || undefined,
    calendarId: values.calendarId.trim() || undefined,
    times: parseNumber(values.times),
    skip: parseNumber(values.skip),
    every: parseNumber(values.every),
    probability: parseNumber(values.probability),
    do: toEffect(values.effect, values),
  }
  const add = () => control<FaultView>('POST', '/faults', ({ id }) => `Added ${id} for ${on.join(', ')}`, fault)
  const accounts = (overview.value?.accounts ?? []).map(({ email }) => [email, email] as const)
  return (
    <Form label="Add a fault" submit="Add fault" run={add} isPrimary>
      <Select label="Effect" {...field('effect')} options={EFFECTS.map(({ id, title }) => [id, title])} />
      {values.effect === 'fail' && (
        <>
          <Field label="Error" {...field('error')} list="fault-errors" required />
          <Field label="Retry-After" {...field('retryAfter')} placeholder="60" size={6} />
        </>
      )}
      {amount && <Field label={amount.label} {...field('amount')} placeholder={amount.initial} size={6} />}
      <Field label="Method" {...field('on')} list="fault-methods" placeholder="events.insert" required />
      <Select label="Account" {...field('account')} options={[['', 'All accounts'], ...accounts]} />
      <Field label="Calendar" {...field('calendarId')} placeholder="primary" />
      <Field label="Repeat" {...field('times')} placeholder="2, or always" size={10} />
      <Field label="Skip first" {...field('skip')} type="number" min={0} placeholder="0" />
      <Field label="Every nth" {...field('every')} type="number" min={1} placeholder="1" />
      <Field label="Probability" {...field('probability')} type="number" min={0} max={1} step="any" placeholder="1" />
      <Choices id="fault-errors" names={FAULT_NAMES} />
      <Choices id="fault-methods" names={methods} />
    </Form>
  )
}

const Choices = ({ id, names }: { id: string; names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
)

/** The parts of a JSON schema that are read here. */
type Schema = { anyOf?: Schema[]; properties?: Record<string, Schema>; examples?: string[] }
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } }
type OpenApi = { paths: Record<string, { post?: Operation }> }

/** From the OpenAPI document of the control routes. */
async function readMethods(signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await callControl<OpenApi>('GET', '/openapi.json', { signal })
  const { schema } = data.paths['/_control/faults']?.post?.requestBody?.content['application/json'] ?? {}
  return schema?.properties?.on?.anyOf?.[0]?.examples ?? []
}
