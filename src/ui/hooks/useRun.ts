import { useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../api/errors.ts'

type Run = {
  isBusy: boolean
  /** The error of the latest action. */
  error: RequestError | undefined
  /** Does nothing while an action runs. Never rejects. */
  run(action: () => unknown): Promise<void>
}

export function useRun(): Run {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError>()
  const run = async (action: () => unknown) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await action()
    } catch (thrown) {
      setError(toRequestError(thrown))
    }
    setBusy(false)
  }
  return { isBusy, error, run }
}
