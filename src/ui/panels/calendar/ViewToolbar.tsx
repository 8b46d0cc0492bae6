import type { ComponentChildren } from 'preact'
import { useAccount } from '../../account.ts'
import { Icon } from '../../components/Icon.tsx'
import { navigate } from '../../route.ts'
import { formatViewTitle, stepDate, VIEW_NAMES, VIEWS, type ViewName } from './views.ts'

type Props = {
  view: ViewName
  date: string
  today: string
  views?: readonly ViewName[]
  children?: ComponentChildren
}

export function ViewToolbar({ view, date, today, views = VIEW_NAMES, children }: Props) {
  const { weekStart } = useAccount()
  const step = (by: 1 | -1) => navigate({ date: stepDate(view, date, by) })
  return (
    <div class="view-toolbar" role="toolbar" aria-label="Calendar view">
      {children}
      <button type="button" onClick={() => navigate({ date: today })}>
        Today
      </button>
      <span class="view-steps">
        <button type="button" class="quiet" aria-label="Previous" onClick={() => step(-1)}>
          <Icon name="left" />
        </button>
        <button type="button" class="quiet" aria-label="Next" onClick={() => step(1)}>
          <Icon name="right" />
        </button>
      </span>
      <h2 aria-live="polite">{formatViewTitle(view, date, weekStart)}</h2>
      <span class="segments">
        {views.map((name) => (
          <button key={name} type="button" aria-pressed={name === view} onClick={() => navigate({ view: name })}>
            {VIEWS[name].title}
          </button>
        ))}
      </span>
    </div>
  )
}
