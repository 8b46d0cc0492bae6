/** Adds properties that are not enumerable, so that comparisons of the list ignore them. */
export function withHiddenProperties<T extends object, M extends object>(list: T, more: M): T & Readonly<M> {
  for (const [name, value] of Object.entries(more)) Object.defineProperty(list, name, { value })
  return list as T & Readonly<M>
}
