import type { ComponentChildren } from 'preact'

/** A progress bar with a text such as `Loading`. Screen readers read the text. */
export const Progress = ({ children }: { children: ComponentChildren }) => (
  <p class="progress" role="status">
    <progress aria-label="In progress" /> {children}…
  </p>
)
