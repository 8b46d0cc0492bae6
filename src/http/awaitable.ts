/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>

/**
 * Passes a value to `next`: at once, or when its promise resolves. It takes the place of `await` on the path of every request,
 * because a response that waits for nothing must stay synchronous: Hono's adapter writes it without a promise.
 */
export const whenReady = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Acts, and passes the outcome to one of two functions: the value, or the error that was thrown or rejected. */
export function settle<T, U>(
  act: () => Awaitable<T>,
  onValue: (value: T) => Awaitable<U>,
  onError: (error: unknown) => Awaitable<U>,
): Awaitable<U> {
  let value: Awaitable<T>
  try {
    value = act()
  } catch (error) {
    return onError(error)
  }
  return value instanceof Promise ? value.then(onValue, onError) : onValue(value)
}
