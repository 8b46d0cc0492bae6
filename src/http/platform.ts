type Class = { new (...args: never[]): object; prototype: object }

/**
 * Returns a class that loads a class of the platform with its first instance, or the first check for one. Loading them takes a
 * third of a start. The light classes that Hono's adapter derives from it answer most requests without an instance.
 */
function standing<C extends Class>(platform: () => C): C {
  const Standing = function Standing(...args: never[]) {
    const Class = derived()
    return Reflect.construct(Class, args, new.target === Standing ? Class : new.target)
  } as unknown as C
  let known: C | undefined
  function derived(): C {
    if (known) return known
    known = platform()
    Object.setPrototypeOf(Standing, known)
    Object.setPrototypeOf(Standing.prototype, known.prototype)
    return known
  }
  // Hono checks the init of every reply, mostly a plain object. Derived classes are checked as usual.
  function isOne(this: unknown, one: unknown): boolean {
    if (this !== Standing) return Function.prototype[Symbol.hasInstance].call(this, one)
    return typeof one === 'object' && !isRecord(one) && one instanceof derived()
  }
  Object.defineProperty(Standing, Symbol.hasInstance, { value: isOne })
  return Standing
}

/** Returns true for a plain object. */
function isRecord(one: object | null): boolean {
  const prototype: unknown = one === null ? null : Object.getPrototypeOf(one)
  return prototype === null || prototype === Object.prototype
}

export const Headers = standing(() => globalThis.Headers)
export const Request = standing(() => globalThis.Request)
export const Response = standing(() => globalThis.Response)

/** The global object that the adapter sees and defines globals on. Web sockets are not served. */
const around: object = Object.create(globalThis, {
  Headers: { value: Headers },
  Request: { value: Request, configurable: true },
  Response: { value: Response, configurable: true },
  CloseEvent: { value: undefined },
})

export { around as global, around as globalThis }
