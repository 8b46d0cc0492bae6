type Kind = 'ok' | 'info' | 'warn' | 'bad'

export const StatePill = ({ kind, children }: { kind?: Kind | undefined; children: string | number }) => (
  <span class={`pill ${kind ?? ''}`}>{children}</span>
)

/** Kinds by the first digit of the status. */
const KINDS: readonly (Kind | undefined)[] = [undefined, undefined, 'ok', 'info', 'warn', 'bad']

export const StatusPill = ({ status }: { status: number | undefined }) => (
  <StatePill kind={status === undefined ? 'bad' : KINDS[Math.floor(status / 100)]}>{status ?? 'No response'}</StatePill>
)
