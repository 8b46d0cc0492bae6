import { Dialog } from '../parts/dialog.tsx'
import type { Scope } from './series.ts'

const SCOPES: Record<Scope, string> = {
  this: 'This event',
  following: 'This and following events',
  all: 'All events',
}

/** How much of a series is meant. */
export function Ask({ what, answer }: { what: string; answer(scope: Scope | undefined): void }) {
  return (
    <Dialog title={`${what}: which events of the series?`} close={() => answer(undefined)}>
      <div class="actions">
        {(Object.keys(SCOPES) as Scope[]).map((scope) => (
          <button key={scope} type="button" onClick={() => answer(scope)}>
            {SCOPES[scope]}
          </button>
        ))}
        <button type="button" onClick={() => answer(undefined)}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
