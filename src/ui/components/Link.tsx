import type { ComponentChildren } from 'preact'
import { navigate, type Route } from '../route.ts'

/** Opens another part of the page. */
export const Link = ({ to, children }: { to: Partial<Route>; children: ComponentChildren }) => (
  <button type="button" class="link" onClick={() => navigate(to)}>
    {children}
  </button>
)
