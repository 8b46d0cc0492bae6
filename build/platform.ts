type Class = { new (...args: never[]): object; prototype: object }

/**
 * What stands for a class of the platform's until one of it is made or may have been given: loading them takes as long as
 * a third of a start. The light classes that Hono's adapter derives from it answer most requests, and need no more of it
 * than that it is there.
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
  // Asked of every reply, of what it is made with: most often a record. What derives from it is asked as any class.
  function isOne(this: unknown, one: unknown): boolean {
    if (this !== Standing) return Function.prototype[Symbol.hasInstance].call(this, one)
    return typeof one === 'object' && !isRecord(one) && one instanceof derived()
  }
  Object.defineProperty(Standing, Symbol.hasInstance, { value: isOne })
  return Standing
}

function isRecord(one: object | null): boolean {
  const prototype: unknown = one === null ? null : Object.getPrototypeOf(one)
  return prototype === null || prototype === Object.prototype
}

export const Headers = standing(() => globalThis.Headers)
export const Request = standing(() => globalThis.Request)
export const Response = standing(() => globalThis.Response)

/** The global object as the adapter sees it, and where it defines what is to be global. Web sockets are not served. */
const around: object = Object.create(globalThis, {
  Headers: { value: Headers },
  Request: { value: Request, configurable: true },
  Response: { value: Response, configurable: true },
  CloseEvent: { value: undefined },
})

export { around as global, around as globalThis }
