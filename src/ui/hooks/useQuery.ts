import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { callControl } from '../api/client.ts'
import { type RequestError, toRequestError } from '../api/errors.ts'
import { useSession } from '../session.ts'

/** The state of a query. Both are missing until the first load of its key ends. A reload keeps the old result until it ends. */
export type Query<T> = { data?: T | undefined; error?: RequestError | undefined }

type Options = {
  /** True to reload after each recorded request, not only after changes of the world. */
  everyCall?: boolean
}

/**
 * Loads data of the world that is shown, and loads it again when the world changes. Results belong to a key: after a
 * change of the world or the key, the old result is neither shown nor awaited. Each key has one load at a time; changes
 * during a load cause one more.
 */
export function useLoader<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { everyCall = false }: Options = {},
): Query<T> {
  const session = useSession()
  const fullKey = `${session.world}\n${key}`
  const [state, setState] = useState<Query<T> & { key: string }>({ key: fullKey })
  const latestLoad = useRef(load)
  latestLoad.current = load
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let isLoading = false
    let isStale = false
    const run = async () => {
      isStale = isLoading
      if (isLoading) return
      isLoading = true
      try {
        const data = await latestLoad.current(signal)
        if (!signal.aborted) setState({ key: fullKey, data })
      } catch (error) {
        if (!signal.aborted) setState({ key: fullKey, error: toRequestError(error) })
      }
      isLoading = false
      if (isStale && !signal.aborted) void run()
    }
    const stop = effect(() => {
      if (everyCall) session.latestCall.value
      // Version 0 means that the stream is not open yet. A load before that could miss a change.
      if (session.dataVersion.value > 0) void run()
    })
    return () => {
      stop()
      controller.abort()
    }
  }, [fullKey, session, everyCall])
  return state.key === fullKey ? state : {}
}

/** Loads a route. `path` is relative to `/_control`, such as `/channels`. */
export function useQuery<T>(path: string, options?: Options): Query<T> {
  const { world } = useSession()
  const load = async (signal: AbortSignal) => (await callControl<T>('GET', path, { world, signal })).data
  return useLoader(path, load, options)
}
