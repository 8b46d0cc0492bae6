import { useEffect, useRef } from 'preact/hooks'

/** Single keys, by what they type. They do nothing in a field, in a dialog, and together with Ctrl, Alt or Cmd. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, altKey, metaKey, target } = event
      const isTyping = target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')
      if (ctrlKey || altKey || metaKey || isTyping || document.querySelector('dialog[open]')) return
      if (!Object.hasOwn(latest.current, key)) return
      event.preventDefault()
      latest.current[key]?.()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
