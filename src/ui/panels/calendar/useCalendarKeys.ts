import { useLayoutEffect, useRef } from 'preact/hooks'
import { isTyping } from '../../keys.ts'
import { VIEWS, type ViewName } from './views.ts'

type Actions = { today(): void; step(by: 1 | -1): void; show(view: ViewName): void; newEvent(): void; help(): void }

export function useCalendarKeys(actions: Actions): void {
  const latest = useRef(actions)
  latest.current = actions
  useLayoutEffect(() => {
    const handlers = new Map<string, () => void>([
      ['t', () => latest.current.today()],
      ['ArrowLeft', () => latest.current.step(-1)],
      ['ArrowRight', () => latest.current.step(1)],
      ['?', () => latest.current.help()],
      ['n', () => latest.current.newEvent()],
      ...Object.entries(VIEWS).map(([view, { key }]) => [key, () => latest.current.show(view as ViewName)] as const),
    ])
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return
      const handler = handlers.get(event.key)
      if (!handler) return
      event.preventDefault()
      handler()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
