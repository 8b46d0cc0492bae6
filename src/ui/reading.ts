import { useEffect, useState } from 'preact/hooks'
import { control } from './client.ts'
import { changes } from './live.ts'
import { type Refused, refusalOf } from './refused.ts'
import { world } from './route.ts'

export type Read<T> = { data?: T | undefined; refused?: Refused | undefined }

/** What a route of `/_control` answers for the world that is shown, read again whenever that may have changed. */
export function useControl<T>(path: string): Read<T> {
  const [read, setRead] = useState<Read<T>>({})
  const name = world.value
  const at = changes.value
  useEffect(() => {
    const ending = new AbortController()
    control<T>('GET', path, { world: name, signal: ending.signal }).then(
      ({ data }) => setRead({ data }),
      (error: unknown) => ending.signal.aborted || setRead({ refused: refusalOf(error) }),
    )
    return () => ending.abort()
  }, [path, name, at])
  return read
}
