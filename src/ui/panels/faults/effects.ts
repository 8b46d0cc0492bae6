type EffectChoice = {
  /** The name of the effect in the API. Without `amount`, its value is `true`; that of `fail` is the name of an error. */
  id: string
  title: string
  /** A number, or a duration such as `5s`. `initial` is used if it is empty. */
  amount?: { label: string; initial: string }
}

export const EFFECTS: readonly EffectChoice[] = [
  { id: 'fail', title: 'Error' },
  { id: 'delay', title: 'Late response', amount: { label: 'Delay (5s, 1m)', initial: '5s' } },
  { id: 'answerLost', title: 'Lost response (carried out)' },
  { id: 'reset', title: 'Reset (not carried out)' },
  { id: 'hang', title: 'No response ever (not carried out)' },
  { id: 'truncate', title: 'Cut response', amount: { label: 'Bytes', initial: '20' } },
  { id: 'empty', title: 'Empty response' },
  { id: 'emptyPage', title: 'Empty page of a list' },
  { id: 'stale', title: 'Earlier state of a list', amount: { label: 'Age (5s, 1m)', initial: '5s' } },
  { id: 'calendarListLag', title: 'Deleted calendar stays listed' },
  { id: 'deletedCopies', title: 'Deleted copies of series stay listed' },
  { id: 'trimmedSeries', title: 'Trimmed series stay listed' },
]

/** A plain number is a number, a duration such as `90s` stays a text. */
const parseAmount = (text: string): string | number => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text.trim())

/** The effect as `POST /faults` takes it. Values are texts of the form; empty ones are left out. */
export function toEffect(id: string, { error, amount, retryAfter }: Record<'error' | 'amount' | 'retryAfter', string>) {
  if (id === 'fail') return { fail: error, ...(retryAfter.trim() && { retryAfter: parseAmount(retryAfter) }) }
  const initial = EFFECTS.find((one) => one.id === id)?.amount?.initial
  return { [id]: initial === undefined ? true : parseAmount(amount.trim() || initial) }
}
