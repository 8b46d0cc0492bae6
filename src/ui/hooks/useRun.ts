import { useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'

type Run = {
  isBusy: boolean
  /** Of the latest act. */
  error: RequestError | undefined
  /** Does nothing while an act runs. Never rejects. */
  run(act: () => unknown): Promise<void>
}

export function useRun(): Run {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError>()
  const run = async (act: () => unknown) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await act()
    } catch (thrown) {
      setError(toRequestError(thrown))
    }
    setBusy(false)
  }
  return { isBusy, error, run }
}
