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

/** One value of the store, replaced whole and never changed in place. */
export class Cell<T> {
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
    this.#store.write(this.#name, () => new Held(value)).value = value
  }
}
