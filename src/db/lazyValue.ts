import type { State, Store } from './store.ts'

class Held<T> implements State {
  value: T

  constructor(value: T) {
    this.value = value
  }

  copy(): this {
    return new Held(this.value) as this
  }
}

/** One value in the store. It is replaced, never changed in place. */
export class LazyValue<T> {
  readonly #store: Store
  readonly #name: string
  readonly #first: T

  constructor(store: Store, name: string, first: T) {
    this.#store = store
    this.#name = name
    this.#first = first
  }

  get value(): T {
    const held = this.#store.read(this.#name) as Held<T> | undefined
    return held ? held.value : this.#first
  }

  set value(value: T) {
    const before = this.value
    this.#write(value)
    this.#store.recordInverse(() => this.#write(before))
  }

  #write(value: T): void {
    this.#store.write(this.#name, () => new Held(value)).value = value
  }
}
