import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Notice } from '../parts/notice.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { type Choices, choices } from './choices.ts'

/** What is chosen: a refusal or another effect by its name, and how long or how much of it. */
export type Chosen = { name: string; amount: string }
export const FIRST: Chosen = { name: 'fail:backendError', amount: '' }

/** What is no refusal, in the order of the choice; `unit` asks for an amount, which is `usual` where none is said. */
const OTHERS = new Map<string, { title: string; amount?: { title: string; usual: string } }>([
  ['reset', { title: 'The connection is reset' }],
  ['answerLost', { title: 'It is done, and the answer is lost' }],
  ['empty', { title: 'It is done, and the answer is empty' }],
  ['hang', { title: 'No answer ever' }],
  ['delay', { title: 'The answer is late', amount: { title: 'By', usual: '5s' } }],
  ['truncate', { title: 'The answer is cut', amount: { title: 'After bytes', usual: '20' } }],
  ['emptyPage', { title: 'A list: a page with nothing on it' }],
  ['stale', { title: 'A list: as it was a while ago', amount: { title: 'How long', usual: '5s' } }],
])

const OF_FAILURE = { title: 'Retry after', usual: '' }
const amountOf = (name: string) => (name.startsWith('fail:') ? OF_FAILURE : OTHERS.get(name)?.amount)

/** The effect as the route takes it. */
export function effectOf({ name, amount }: Chosen): Record<string, unknown> {
  const said = amount.trim() || amountOf(name)?.usual
  if (name.startsWith('fail:')) return { fail: name.slice(5), ...(said && { retryAfter: numberIn(said) }) }
  return { [name]: amountOf(name) ? numberIn(said ?? '') : true }
}

/** A number is one of seconds or of bytes; all else is text such as `90s`. */
const numberIn = (text: string): string | number => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text)

/** What there is to choose among, once it is known. */
export const known = signal<Choices | undefined>(undefined)
const refused = signal<Refused | undefined>(undefined)

function ask(): void {
  refused.value = undefined
  choices().then(
    (all) => {
      known.value = all
    },
    (error: unknown) => {
      refused.value = refusalOf(error)
    },
  )
}

const NONE: Choices = { targets: [], sudden: [], refusals: [], others: [] }

type Props = { value: Chosen; change(chosen: Chosen): void }

/** What is to happen, among what there is. */
export function EffectChoice({ value: { name, amount }, change }: Props) {
  useEffect(ask, [])
  const { sudden, refusals, others } = known.value ?? NONE
  const more = amountOf(name)
  return (
    <>
      <label>
        What happens
        <select
          value={name}
          aria-busy={known.value === undefined}
          onChange={({ currentTarget }) => change({ name: currentTarget.value, amount: '' })}
        >
          <optgroup label="It is refused">{sudden.map(refusal)}</optgroup>
          <optgroup label="Something else">
            {[...OTHERS]
              .filter(([other]) => others.includes(other))
              .map(([other, { title }]) => (
                <option key={other} value={other}>
                  {title}
                </option>
              ))}
          </optgroup>
          <optgroup label="Every refusal">{refusals.filter((one) => !sudden.includes(one)).map(refusal)}</optgroup>
        </select>
      </label>
      {more && (
        <label>
          {more.title}
          <input
            size={6}
            placeholder={more.usual || 'not said'}
            value={amount}
            onInput={({ currentTarget }) => change({ name, amount: currentTarget.value })}
          />
        </label>
      )}
      {refused.value && <Notice refused={refused.value} />}
    </>
  )
}

const refusal = (name: string) => (
  <option key={name} value={`fail:${name}`}>
    {name}
  </option>
)
