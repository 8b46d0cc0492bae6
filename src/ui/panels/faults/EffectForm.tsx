import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { callControl } from '../../api/client.ts'
import type { Fault, FaultView } from '../../api/types.ts'
import { Field, Form, Select } from '../../components/Form.tsx'
import { Icon } from '../../components/Icon.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useLoader } from '../../hooks/useQuery.ts'
import { EFFECTS, type EffectKind } from './effects.ts'
import styles from './FaultsPanel.module.css'

export const EffectCards = ({ selected, select }: { selected: string; select(kind: EffectKind): void }) => (
  <fieldset class={styles.cards} aria-label="What happens">
    {EFFECTS.map((kind) => (
      <button
        key={kind.id}
        type="button"
        class={styles.effect}
        aria-pressed={kind.id === selected}
        onClick={() => select(kind)}
      >
        <Icon name={kind.icon} size={20} />
        <strong>{kind.title}</strong>
        <span>{kind.description}</span>
      </button>
    ))}
  </fieldset>
)

type Props = {
  label: string
  submit: string
  /** The fault without its effect. */
  target: Omit<Fault, 'do'>
  /** Without it, the form has a field for the kind. */
  kind?: EffectKind
  children?: ComponentChildren
}

const INITIAL_ERROR = 'backendError503'

export function EffectForm({ label, submit, target, kind: givenKind, children }: Props) {
  const control = useControlAction()
  const { data } = useLoader('fault choices', readFaultChoices)
  const [kindId, setKindId] = useState('fails')
  const kind = givenKind ?? (EFFECTS.find(({ id }) => id === kindId) as EffectKind)
  const [values, setValues] = useState({ error: INITIAL_ERROR, amount: '', variant: '', retryAfter: '' })
  const set = (name: keyof typeof values) => (value: string) => setValues({ ...values, [name]: value })
  const variant = kind.variants?.some(([name]) => name === values.variant)
    ? values.variant
    : (kind.variants?.[0]?.[0] ?? '')
  const add = async () => {
    const effect = kind.toEffect({ ...values, variant, amount: values.amount || (kind.amount?.initial ?? '') })
    await control<FaultView>('POST', '/faults', ({ id, on }) => `Added ${id} for ${[on].flat().join(', ')}`, {
      ...target,
      ...(givenKind?.where && { where: givenKind.where }),
      do: effect,
    })
  }
  return (
    <Form label={label} submit={submit} run={add} isPrimary>
      {!givenKind && (
        <Select
          label="What happens"
          value={kindId}
          change={setKindId}
          options={EFFECTS.map(({ id, title }) => [id, title] as const)}
        />
      )}
      {kind.id === 'fails' && (
        <>
          <Field label="Error" list="fault-errors" value={values.error} change={set('error')} required />
          <datalist id="fault-errors">
            {data?.errors.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      {kind.variants && <Select label="Variant" value={variant} change={set('variant')} options={kind.variants} />}
      {kind.amount && (
        <Field
          label={kind.amount.label}
          placeholder={kind.amount.placeholder}
          value={values.amount}
          change={set('amount')}
          size={6}
        />
      )}
      {(kind.id === 'fails' || kind.id === 'quota') && (
        <Field label="Retry-After" placeholder="60" value={values.retryAfter} change={set('retryAfter')} size={6} />
      )}
      {children}
    </Form>
  )
}

type FaultChoices = {
  targets: readonly string[]
  errors: readonly string[]
}

/** The parts of a JSON schema that are read here. */
type Schema = { anyOf?: Schema[]; properties?: Record<string, Schema>; enum?: string[]; examples?: string[] }
type OpenApi = {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>
}

/** From the OpenAPI document of the control routes. */
export async function readFaultChoices(signal: AbortSignal): Promise<FaultChoices> {
  const { data } = await callControl<OpenApi>('GET', '/openapi.json', { signal })
  const fault = data.paths['/_control/faults']?.post?.requestBody?.content['application/json']?.schema
  const effect = fault?.properties?.do?.anyOf?.[0]?.properties ?? {}
  return { targets: fault?.properties?.on?.anyOf?.[0]?.examples ?? [], errors: effect.fail?.enum ?? [] }
}
