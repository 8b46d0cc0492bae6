// biome-ignore lint/complexity/noBannedTypes: a function of a module, of any signature
export type Callable = Function

/** Returns a function that restores the original, unless the method was replaced again in the meantime. */
export function patchMethod<T extends object>(
  owner: T,
  name: keyof T & string,
  make: (original: Callable) => unknown,
): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  const original = owner[name] as Callable
  const replacement = make(original)
  Object.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    enumerable: true,
    ...descriptor,
    value: replacement,
  })
  return () => {
    if (owner[name] === replacement && descriptor) Object.defineProperty(owner, name, descriptor)
  }
}
