import { callControl } from '../api/client.ts'
import { useSession } from '../session.ts'
import { showToast } from '../toast.ts'

/**
 * Shows a toast on success with `message` and the request, and lets the page reload its data. It rejects without a toast,
 * because `Button` and `Form` show the error.
 */
type ControlAction = <T = unknown>(
  verb: string,
  path: string,
  message: string | ((result: T) => string),
  body?: unknown,
) => Promise<T>

export function useControlAction(): ControlAction {
  const session = useSession()
  return async (verb, path, message, body) => {
    const { data, sent } = await callControl<never>(verb, path, { body, world: session.world })
    showToast(session, { text: typeof message === 'string' ? message : message(data), sent })
    session.reportChange()
    return data
  }
}
