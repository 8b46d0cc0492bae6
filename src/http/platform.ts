type Class = { new (...args: never[]): object; prototype: object }

/**
 * Calls `platform` with its first instance or the first `instanceof`, and inherits from the result. Loading these classes takes a
 * third of a start, and the light classes that Hono's adapter derives from it answer most requests without an instance.
 */
function createLazyClass<C extends Class>(platform: () => C): C {
  const LazyClass = function Standing(...args: never[]) {
    const Class = loadClass()
    return Reflect.construct(Class, args, new.target === Standing ? Class : new.target)
  } as unknown as C
  let known: C | undefined
  function loadClass(): C {
    if (known) return known
    known = platform()
    Object.setPrototypeOf(LazyClass, known)
    Object.setPrototypeOf(LazyClass.prototype, known.prototype)
    return known
  }
  /** A plain object loads nothing, because Hono checks the init of every reply, which is mostly one. */
  function isInstance(this: unknown, one: unknown): boolean {
    if (this !== LazyClass) return Function.prototype[Symbol.hasInstance].call(this, one)
    return typeof one === 'object' && !isPlainObject(one) && one instanceof loadClass()
  }
  Object.defineProperty(LazyClass, Symbol.hasInstance, { value: isInstance })
  return LazyClass
}

function isPlainObject(one: object | null): boolean {
  const prototype: unknown = one === null ? null : Object.getPrototypeOf(one)
  return prototype === null || prototype === Object.prototype
}

export const Headers = createLazyClass(() => globalThis.Headers)
export const Request = createLazyClass(() => globalThis.Request)
export const Response = createLazyClass(() => globalThis.Response)

const adapterGlobal: object = Object.create(globalThis, {
  Headers: { value: Headers },
  Request: { value: Request, configurable: true },
  Response: { value: Response, configurable: true },
  CloseEvent: { value: undefined },
})

export { adapterGlobal as global, adapterGlobal as globalThis }
