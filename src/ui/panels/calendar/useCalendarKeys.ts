import { useLayoutEffect, useRef } from 'preact/hooks'
import { isTyping } from '../../keys.ts'

/** The handlers have the names of their keys. */
export function useCalendarKeys(handlers: Readonly<Record<string, () => void>>): void {
  const latest = useRef(handlers)
  latest.current = handlers
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return
      const handler = latest.current[event.key]
      if (!handler) return
      event.preventDefault()
      handler()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
