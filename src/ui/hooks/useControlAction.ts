import { callControl } from '../api/client.ts'
import { useSession, type WorldSession } from '../session.ts'
import { showToast } from '../toast.ts'

/**
 * Calls a route under `/_control`. On success it shows a toast with `message` and the request, lets the page reload its data,
 * and resolves to the response body. On failure it rejects with a RequestError or the browser's error, without a toast;
 * `Button` and `Form` show the error.
 */
export type ControlAction = <T = unknown>(
  verb: string,
  path: string,
  message: string | ((result: T) => string),
  body?: unknown,
) => Promise<T>

/** Returns a function that makes control requests to the world of a session. */
export const controlAction =
  (session: WorldSession): ControlAction =>
  async <T>(verb: string, path: string, message: string | ((result: T) => string), body?: unknown) => {
    const { data, sent } = await callControl<T>(verb, path, { body, world: session.world })
    showToast(session, { text: typeof message === 'string' ? message : message(data), sent })
    session.reportChange()
    return data
  }

/** Returns a function that makes control requests to the world that is shown. */
export const useControlAction = (): ControlAction => controlAction(useSession())
