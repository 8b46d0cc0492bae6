import { Dialog } from '../../components/Dialog.tsx'
import type { Scope } from './seriesChange.ts'

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['this', 'This event'],
  ['following', 'This and following events'],
  ['all', 'All events'],
]

/** `answer` gets undefined on Cancel. */
export const ScopeDialog = ({ title, answer }: { title: string; answer(scope: Scope | undefined): void }) => (
  <Dialog title={`${title}: which events of the series?`} close={() => answer(undefined)}>
    <div class="actions">
      {SCOPES.map(([scope, text]) => (
        <button key={scope} type="button" onClick={() => answer(scope)}>
          {text}
        </button>
      ))}
      <button type="button" class="quiet" onClick={() => answer(undefined)}>
        Cancel
      </button>
    </div>
  </Dialog>
)
