import { signal } from '@preact/signals'
import type { Made } from '../made.ts'
import type { Refused } from '../refused.ts'
import { Button } from './button.tsx'
import { CopyLines } from './copyLines.tsx'
import { Notice } from './notice.tsx'

/** What was done, the call that did it, and how it is taken back. */
export type Told = {
  /** `Moved “Standup”`. */
  text: string
  made?: Made | undefined
  refused?: Refused | undefined
  undo?: { title: string; act(): unknown } | undefined
}

const latest = signal<Told | undefined>(undefined)

/** Tells what was done, in place of what was told before. */
export const tell = (told: Told | undefined): void => {
  latest.value = told
}

/** Where it is told. */
export function Toasts() {
  const told = latest.value
  return (
    <section class="toasts" aria-live="polite" aria-label="What was done">
      {told && (
        <div class="toast">
          <p>
            {told.text} {told.undo && <Button act={told.undo.act}>{told.undo.title}</Button>}
            <button type="button" class="close" aria-label="Dismiss" onClick={() => tell(undefined)}>
              ×
            </button>
          </p>
          {told.refused && <Notice refused={told.refused} />}
          {told.made && (
            <details>
              <summary>The call: {told.made.method}</summary>
              <CopyLines made={told.made} />
            </details>
          )}
        </div>
      )}
    </section>
  )
}
