import { useState } from 'preact/hooks'
import { API_ERRORS, errorOfFault, FAULT_NAMES } from '../../api/shared.ts'
import type { FaultView } from '../../api/types.ts'
import { Field, Form, parseNumber, Select } from '../../components/Form.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useSession } from '../../session.ts'
import { EFFECTS, toEffect } from './effects.ts'

const INITIAL = {
  ...{ effect: 'fail', error: 'backendError503', amount: '', retryAfter: '', on: 'events.insert' },
  ...{ account: '', calendarId: '', times: '', skip: '' },
}

const ERRORS = FAULT_NAMES.map((name) => [name, API_ERRORS[errorOfFault(name)].code] as const)
const METHODS = [
  ...['*', 'events.*', 'events.insert', 'events.list', 'events.get', 'events.patch', 'events.update', 'events.delete'],
  ...['calendarList.list', 'calendars.*', 'acl.*', 'freebusy.query'],
].map((name) => [name] as const)

export function FaultForm() {
  const control = useControlAction()
  const { overview } = useSession()
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
    do: toEffect(values.effect, values),
  }
  const add = () => control<FaultView>('POST', '/faults', ({ id }) => `Added ${id} for ${on.join(', ')}`, fault)
  const accounts = (overview.value?.accounts ?? []).map(({ email }) => [email, email] as const)
  return (
    <Form label="Add a fault" submit="Add fault" run={add} isPrimary>
      <Select label="Effect" {...field('effect')} options={EFFECTS.map(({ id, title }) => [id, title])} />
      {values.effect === 'fail' && (
        <>
          <Field label="Error" {...field('error')} list="fault-errors" choices={ERRORS} required size={15} />
          <Field label="Retry-After (s)" {...field('retryAfter')} placeholder="60" size={6} />
        </>
      )}
      {amount && <Field label={amount.label} {...field('amount')} placeholder={amount.initial} size={6} />}
      <Field
        label="Method"
        {...field('on')}
        list="fault-methods"
        choices={METHODS}
        placeholder="events.insert"
        required
        size={14}
      />
      <Select label="Account" {...field('account')} options={[['', 'All accounts'], ...accounts]} />
      <Field label="Calendar" {...field('calendarId')} placeholder="primary" size={7} />
      <Field label="Repeat" {...field('times')} placeholder="2, or always" size={10} />
      <Field label="Skip first" {...field('skip')} type="number" min={0} placeholder="0" />
    </Form>
  )
}
