import { createClient } from './client.ts'

type LoadCallback = (() => void) | { callback?: () => void; onerror?: (error: Error) => void }
type Page = Window & Record<string, unknown>

/** Defines `gapi.load` and `gapi.client` in a page (`/js/api.js`), and calls the function of the page that `?onload=` names. */
const page = window as unknown as Page
const own = document.currentScript instanceof HTMLScriptElement ? new URL(document.currentScript.src) : undefined
// A script from another host than the service's uses that host for all requests.
const isNamed = !own || own.hostname.endsWith('.google.com')
const root = isNamed ? 'https://www.googleapis.com/' : own.origin + own.pathname.replace(/js\/[^/]*$/, '')

/**
 * Calls back in a later microtask, because the client is loaded already. `names` are separated by colons. Another
 * library is not built: calls `onerror` with an Error, or throws it if there is none.
 */
function load(names: string, then: LoadCallback = () => {}): void {
  const { callback, onerror = undefined } = typeof then === 'function' ? { callback: then } : then
  const missing = names.split(':').find((name) => name !== 'client')
  const error = missing && new Error(`fake-calendar: gapi.load: ${missing} is not built (client is)`)
  if (error && !onerror) throw error
  queueMicrotask(() => (error ? onerror?.(error) : callback?.()))
}

page.gapi = { load, client: createClient(root) }
const waiting = page[own?.searchParams.get('onload') ?? '']
if (typeof waiting === 'function') queueMicrotask(() => waiting())
