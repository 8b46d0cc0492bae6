import { signal } from '@preact/signals'
import { reaches } from '../../rig/asked.ts'
import type { RecordedCall } from '../../rig/recorded.ts'
import { addressOf } from '../../wire/values/address.ts'

/** Which requests are shown; a part that is empty asks for nothing. */
export type Filter = {
  /** As faults and `fake.calls` name them: `events.insert`, `events.*`, several parted by commas. */
  method: string
  account: string
  /** The first figure of the status, or a word of `STATUSES`. */
  status: string
  text: string
  /** The number of a batch, of which all parts are shown. */
  batch: string
}

export const NO_FILTER: Filter = { method: '', account: '', status: '', text: '', batch: '' }
export const filter = signal<Filter>(NO_FILTER)

/** What may be asked of how a request went, in the order of the choice. */
export const STATUSES: readonly { value: string; title: string; holds(call: RecordedCall): boolean }[] = [
  { value: '', title: 'Any', holds: () => true },
  { value: '2', title: '2xx: answered', holds: ({ status }) => hundreds(status) === 2 },
  { value: '3', title: '3xx: unchanged or led on', holds: ({ status }) => hundreds(status) === 3 },
  { value: '4', title: '4xx: refused', holds: ({ status }) => hundreds(status) === 4 },
  { value: '5', title: '5xx: failed', holds: ({ status }) => hundreds(status) === 5 },
  { value: 'none', title: 'No answer', holds: ({ status }) => status === undefined },
  { value: 'hint', title: 'With a hint', holds: ({ hints }) => hints.length > 0 },
  { value: 'fault', title: 'With a fault', holds: ({ fault }) => fault !== undefined },
]

const hundreds = (status: number | undefined): number => Math.floor((status ?? 0) / 100)

const texts = new WeakMap<RecordedCall, string>()

/** All that was said in a call, to be searched. */
function textOf(call: RecordedCall): string {
  const known = texts.get(call)
  if (known !== undefined) return known
  const { path, params, body, response, reason, fault, hints, client } = call
  const text = JSON.stringify([path, params, body, response, reason, fault, hints, client]).toLowerCase()
  texts.set(call, text)
  return text
}

/** The calls that are asked for. */
export function chosen(calls: readonly RecordedCall[], { method, account, status, text, batch }: Filter) {
  const methods = method.split(',').flatMap((name) => name.trim() || [])
  const asked = text.trim().toLowerCase()
  const { holds } = STATUSES.find(({ value }) => value === status) ?? { holds: () => true }
  return calls.filter(
    (call) =>
      (methods.length === 0 || reaches(methods, call.method)) &&
      (account === '' || addressOf(call.account ?? '') === addressOf(account)) &&
      holds(call) &&
      (batch === '' || String(call.batch) === batch) &&
      (asked === '' || textOf(call).includes(asked)),
  )
}
