import type { Message } from './messages.ts'

/** What a test wants done to messages that are still to be made: to those of one channel, or of any. */
export type Fate =
  | { what: 'drop' }
  | { what: 'duplicate' }
  | { what: 'delay'; by: number }
  | { what: 'reorder'; gathered: Message[]; count: number }
type Coming = { fate: Fate; left: number; channelId: string | undefined }

/** The fates of the next messages, the oldest order first, and the channels whose messages are held. */
export class Fates {
  #coming: Coming[] = []
  #allHeld = false
  readonly #held = new Set<string>()
  /** The channels that were let go of since all were held. */
  readonly #released = new Set<string>()

  give(fate: Fate, left: number, channelId: string | undefined): void {
    this.#coming.push({ fate, left, channelId })
  }

  take(channelId: string): Fate | undefined {
    if (this.#coming.length === 0) return undefined
    const found = this.#coming.find((one) => one.channelId === undefined || one.channelId === channelId)
    if (!found) return undefined
    found.left -= 1
    if (found.left === 0) this.#coming = this.#coming.filter((one) => one !== found)
    return found.fate
  }

  hold(channelId: string | undefined): void {
    if (channelId !== undefined) this.#held.add(channelId)
    else {
      this.#allHeld = true
      this.#released.clear()
    }
  }

  /** Without a channel, all that is held. */
  release(channelId: string | undefined): void {
    if (channelId !== undefined) {
      this.#held.delete(channelId)
      this.#released.add(channelId)
    } else {
      this.#allHeld = false
      this.#held.clear()
    }
  }

  /** Messages gathered for a reordering that still lacks others, the last made first. */
  giveUp(channelId: string | undefined): Message[] {
    const given = ({ fate, channelId: of }: Coming) =>
      fate.what === 'reorder' && (channelId === undefined || of === channelId) ? fate.gathered : []
    const gathered = this.#coming.flatMap((one) => [...given(one)].reverse())
    this.#coming = this.#coming.filter((one) => given(one).length === 0)
    return gathered
  }

  holds(channelId: string): boolean {
    return this.#held.has(channelId) || (this.#allHeld && !this.#released.has(channelId))
  }
}
