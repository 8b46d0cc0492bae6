import { useEffect, useRef } from 'preact/hooks'

/** Keys by what they type, which do nothing in a field and in a dialog, and `Ctrl+k` for Ctrl or Cmd. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { ctrlKey, altKey, metaKey, target } = event
      const isCommand = ctrlKey || metaKey
      const key = isCommand ? `Ctrl+${event.key.toLowerCase()}` : event.key
      const isTyping = target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')
      if (altKey || (isTyping && !isCommand) || document.querySelector('dialog[open]')) return
      if (!Object.hasOwn(latest.current, key)) return
      event.preventDefault()
      latest.current[key]?.()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
