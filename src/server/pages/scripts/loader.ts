import type { Client } from './client.ts'

type Loading = (() => void) | { callback?: () => void; onerror?: (error: Error) => void }
type Page = Window & Record<string, unknown>

/**
 * What `/js/api.js` does in a page: `gapi.load`, `gapi.client`, and the function of the page that `?onload=` names. It is
 * served as text, so it uses nothing from outside itself.
 */
export function startLoader(makeClient: (root: string) => Client): void {
  const page = window as unknown as Page
  const own = document.currentScript instanceof HTMLScriptElement ? new URL(document.currentScript.src) : undefined
  // A page that names another host than the service's finds all of the service there.
  const isNamed = !own || own.hostname.endsWith('.google.com')
  const root = isNamed ? 'https://www.googleapis.com/' : own.origin + own.pathname.replace(/js\/[^/]*$/, '')

  /** Libraries are named with colons between them. What is not built is said at once, and not when it is missed. */
  function load(names: string, then: Loading = () => {}): void {
    const { callback, onerror = undefined } = typeof then === 'function' ? { callback: then } : then
    const missing = names.split(':').find((name) => name !== 'client')
    const error = missing && new Error(`fake-calendar: gapi.load: ${missing} is not built (client is)`)
    if (error && !onerror) throw error
    queueMicrotask(() => (error ? onerror?.(error) : callback?.()))
  }

  page.gapi = { load, client: makeClient(root) }
  const waiting = page[own?.searchParams.get('onload') ?? '']
  if (typeof waiting === 'function') queueMicrotask(() => waiting())
}
