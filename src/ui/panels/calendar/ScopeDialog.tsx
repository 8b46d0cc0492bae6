import { Dialog } from '../../components/Dialog.tsx'
import type { Scope } from './seriesChange.ts'

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['this', 'This event'],
  ['following', 'This and following events'],
  ['all', 'All events'],
]

/**
 * A dialog with a button for each scope of a change to a series. `title` is the action, such as `Delete “Standup”`. `answer` is
 * called with the chosen scope, or undefined if the user cancels.
 */
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
