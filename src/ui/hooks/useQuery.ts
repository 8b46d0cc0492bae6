import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { callControl } from '../api/client.ts'
import { isUnreachable, type RequestError, toRequestError } from '../api/errors.ts'
import { useSession } from '../session.ts'

/** `error` is of the latest load. A reload keeps the old result until it ends. */
export type Query<T> = { data?: T | undefined; error?: RequestError | undefined }

type Options = {
  /** Reload after each recorded request, not only after changes of the world. */
  everyCall?: boolean
}

/**
 * `key` names everything that `load` depends on. After a change of key or world, the old load is aborted. There is one load at a
 * time; changes during a load cause one more.
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
        if (!signal.aborted) setState((known) => toFailedState(known, fullKey, toRequestError(error)))
      }
      isLoading = false
      if (isStale && !signal.aborted) void run()
    }
    const stop = effect(() => {
      if (everyCall) session.latestCall.value
      // Version 0: the stream is not open yet, and a load before that could miss a change.
      if (session.dataVersion.value > 0) void run()
    })
    return () => {
      stop()
      controller.abort()
    }
  }, [fullKey, session, everyCall])
  return state.key === fullKey ? state : {}
}

/** The old data stay if there is no response, because they may be unchanged. */
const toFailedState = <T>(known: Query<T> & { key: string }, key: string, error: RequestError) =>
  isUnreachable(error) && known.key === key && known.data !== undefined ? known : { key, error }

/** `path` is below `/_control`, such as `/channels`. */
export function useQuery<T>(path: string, options?: Options): Query<T> {
  const { world } = useSession()
  const load = async (signal: AbortSignal) => (await callControl<T>('GET', path, { world, signal })).data
  return useLoader(path, load, options)
}
