import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { callControl } from '../api/client.ts'
import { isUnreachable, type RequestError, toRequestError } from '../api/errors.ts'
import { useSession } from '../session.ts'

/**
 * The result of a query: `data`, or `error` if the latest load failed. Both are missing until the first load ends. A reload
 * keeps the old result until it ends.
 */
export type Query<T> = { data?: T | undefined; error?: RequestError | undefined }

type Options = {
  /** True to reload after each recorded request, not only after changes of the world. */
  everyCall?: boolean
}

/**
 * Loads data of the world that is shown, and loads it again when the world changes. `key` names everything that `load`
 * depends on. After a change of the key or the world, the old load is aborted and its result is no longer returned. There is
 * one load at a time; changes during a load cause one more. An error of `load` becomes the query's error.
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
    /** Loads the data. During a load, it only requests one more load. */
    const run = async () => {
      isStale = isLoading
      if (isLoading) return
      isLoading = true
      try {
        const data = await latestLoad.current(signal)
        if (!signal.aborted) setState({ key: fullKey, data })
      } catch (error) {
        if (!signal.aborted) setState((known) => toFailedState(known, fullKey, toRequestError(error)))
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

/** Without a response, the old data stay, because nobody knows whether they have changed. */
const toFailedState = <T>(known: Query<T> & { key: string }, key: string, error: RequestError) =>
  isUnreachable(error) && known.key === key && known.data !== undefined ? known : { key, error }

/** Loads the response body of a route under `/_control`. `path` is below `/_control`, such as `/channels`. See `useLoader`. */
export function useQuery<T>(path: string, options?: Options): Query<T> {
  const { world } = useSession()
  /** Reads the body of the route. */
  const load = async (signal: AbortSignal) => (await callControl<T>('GET', path, { world, signal })).data
  return useLoader(path, load, options)
}
