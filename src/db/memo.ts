/** Returns a function that computes its result once for each object, as long as the object lives. */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    let result = results.get(key)
    if (!result) {
      result = { value: compute(key) }
      results.set(key, result)
    }
    return result.value
  }
}

export function boundedCache<V>(max: number): (key: string, compute: () => V) => V {
  const results = new Map<string, { readonly value: V }>()
  return (key, compute) => {
    const known = results.get(key)
    if (known) return known.value
    const value = compute()
    const [oldest] = results.keys()
    if (oldest !== undefined && results.size >= max) results.delete(oldest)
    results.set(key, { value })
    return value
  }
}
