import type { ComponentType } from 'preact'

/** A part of the page. It is loaded when it is first shown. */
export type Panel = {
  /** As the address names it. */
  id: string
  title: string
  /** A module whose default export is the panel. */
  load(): Promise<{ default: ComponentType }>
}

/** Every panel that there is, in the order of the tabs: one row each. */
export const PANELS: readonly Panel[] = [
  { id: 'calendar', title: 'Calendar', load: () => import('./calendar/panel.tsx') },
  { id: 'side', title: 'Side by side', load: () => import('./side/panel.tsx') },
  { id: 'requests', title: 'Requests', load: () => import('./requests/panel.tsx') },
  { id: 'world', title: 'World', load: () => import('./world/panel.tsx') },
  { id: 'mail', title: 'Mail', load: () => import('./mail/panel.tsx') },
  { id: 'channels', title: 'Channels', load: () => import('./channels/panel.tsx') },
  { id: 'conferences', title: 'Conferences', load: () => import('./conferences/panel.tsx') },
  { id: 'oauth', title: 'OAuth', load: () => import('./oauth/panel.tsx') },
  { id: 'worlds', title: 'Worlds', load: () => import('./worlds/panel.tsx') },
]
