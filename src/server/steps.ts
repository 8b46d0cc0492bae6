/** What is done step by step: at once as far as nothing has to be waited for. A wait costs as much as many steps. */
export type Steps<R> = Generator<PromiseLike<unknown>, R, unknown>

export const isPromise = <T>(one: T | PromiseLike<T>): one is PromiseLike<T> =>
  typeof (one as Partial<PromiseLike<T>> | undefined)?.then === 'function'

/** A step that may have to be waited for. */
export function* waited<T>(one: T | PromiseLike<T>): Steps<T> {
  return isPromise(one) ? ((yield one) as T) : one
}

/** Goes through steps: the result, or a promise of it where one of them waits. */
export function gone<R>(steps: Steps<R>): R | Promise<R> {
  const { done, value } = steps.next()
  return done ? value : goingOn(steps, value)
}

async function goingOn<R>(steps: Steps<R>, first: PromiseLike<unknown>): Promise<R> {
  for (let waiting = first; ; ) {
    const { done, value } = await waiting.then(
      (outcome) => steps.next(outcome),
      (error: unknown) => steps.throw(error),
    )
    if (done) return value
    waiting = value
  }
}

/** Does something, now or in a promise, and says how it ended. */
export function inTheEnd<R>(act: () => R, done: (outcome: Awaited<R>) => void, failed: () => void): R {
  const failure = (error: unknown): never => {
    failed()
    throw error
  }
  const success = <T extends Awaited<R>>(outcome: T): T => {
    done(outcome)
    return outcome
  }
  let outcome: R
  try {
    outcome = act()
  } catch (error) {
    return failure(error)
  }
  return outcome instanceof Promise ? (outcome.then(success, failure) as R) : success(outcome as Awaited<R>)
}
