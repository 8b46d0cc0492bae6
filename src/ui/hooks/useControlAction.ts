import { callControl } from '../api/client.ts'
import { useSession, type WorldSession } from '../session.ts'
import { showToast } from '../toast.ts'

/**
 * Calls a route under `/_control`, shows a toast with the request, and lets the page read again. Throws a RequestError.
 */
export type ControlAction = <T = unknown>(
  verb: string,
  path: string,
  message: string | ((result: T) => string),
  body?: unknown,
) => Promise<T>

export const controlAction =
  (session: WorldSession): ControlAction =>
  async <T>(verb: string, path: string, message: string | ((result: T) => string), body?: unknown) => {
    const { data, sent } = await callControl<T>(verb, path, { body, world: session.world })
    showToast(session, { text: typeof message === 'string' ? message : message(data), sent })
    session.reportChange()
    return data
  }

export const useControlAction = (): ControlAction => controlAction(useSession())
