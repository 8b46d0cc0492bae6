import type { ComponentChildren } from 'preact'

/** Something is in progress. */
export const Progress = ({ children }: { children: ComponentChildren }) => (
  <p class="progress" role="status">
    <progress aria-label="In progress" /> {children}…
  </p>
)
