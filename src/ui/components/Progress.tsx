import type { ComponentChildren } from 'preact'

export const Progress = ({ children }: { children: ComponentChildren }) => (
  <p class="progress" role="status">
    <progress aria-label="In progress" /> {children}…
  </p>
)
