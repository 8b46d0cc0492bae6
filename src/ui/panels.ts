import type { ComponentType } from 'preact'
import type { WorldSummary } from './api/types.ts'
import type { IconName } from './components/Icon.tsx'

/** The code is loaded when the panel is first shown. */
export type Panel = {
  /** The value of `panel` in the page's address. */
  id: string
  title: string
  icon: IconName
  group: 'Calendar' | 'Traffic' | 'Setup'
  /** The number beside the title in the sidebar. 0 is not shown. */
  count?(world: WorldSummary): number
  load(): Promise<{ default: ComponentType }>
}

export const PANELS: readonly Panel[] = [
  {
    ...{ id: 'calendar', title: 'Calendar', icon: 'calendar', group: 'Calendar' },
    load: () => import('./panels/calendar/CalendarPanel.tsx'),
  },
  {
    ...{ id: 'sideBySide', title: 'Side by side', icon: 'columns', group: 'Calendar' },
    load: () => import('./panels/sideBySide/SideBySidePanel.tsx'),
  },
  {
    ...{ id: 'requests', title: 'Requests', icon: 'activity', group: 'Traffic' },
    count: ({ calls, inspectorCalls }) => calls - inspectorCalls,
    load: () => import('./panels/requests/RequestsPanel.tsx'),
  },
  {
    ...{ id: 'faults', title: 'Faults', icon: 'zap', group: 'Traffic', count: ({ faults }) => faults },
    load: () => import('./panels/faults/FaultsPanel.tsx'),
  },
  {
    ...{ id: 'mail', title: 'Mail', icon: 'mail', group: 'Traffic', count: ({ mail }) => mail },
    load: () => import('./panels/mail/MailPanel.tsx'),
  },
  {
    ...{ id: 'world', title: 'Clock and state', icon: 'sliders', group: 'Setup' },
    load: () => import('./panels/world/WorldPanel.tsx'),
  },
  {
    ...{ id: 'worlds', title: 'All worlds', icon: 'globe', group: 'Setup' },
    load: () => import('./panels/worlds/WorldsPanel.tsx'),
  },
]
