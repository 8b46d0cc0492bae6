import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { control } from '../client.ts'
import { changes, latest } from '../live.ts'
import type { Read } from '../reading.ts'
import { refusalOf } from '../refused.ts'
import { world } from '../route.ts'

/** What a route of `/_control` answers of what any request may change. However many there are, it is asked once at a time. */
export function useWatched<T>(path: string): Read<T> {
  const [read, setRead] = useState<Read<T>>({})
  const name = world.value
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    let asking = false
    let again = false
    const ask = async () => {
      again = asking
      if (asking) return
      asking = true
      try {
        const { data } = await control<T>('GET', path, { world: name, signal })
        setRead({ data })
      } catch (error) {
        if (!signal.aborted) setRead({ refused: refusalOf(error) })
      }
      asking = false
      if (again && !signal.aborted) void ask()
    }
    const end = effect(() => {
      changes.value
      latest.value
      void ask()
    })
    return () => {
      end()
      ending.abort()
    }
  }, [path, name])
  return read
}
