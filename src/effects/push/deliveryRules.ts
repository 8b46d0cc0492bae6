import type { Message } from './messages.ts'

/** A test author's instruction for later messages. */
export type DeliveryRule =
  | { what: 'drop' }
  | { what: 'duplicate' }
  | { what: 'delay'; by: number }
  | { what: 'reorder'; gathered: Message[]; count: number }
type PendingRule = { rule: DeliveryRule; left: number; channelId: string | undefined }

/** The rules for later messages, the oldest first, and the channels whose messages are held. */
export class DeliveryRules {
  #pending: PendingRule[] = []
  #allHeld = false
  readonly #held = new Set<string>()
  /** The channels that were released after all were held. */
  readonly #released = new Set<string>()

  add(rule: DeliveryRule, left: number, channelId: string | undefined): void {
    this.#pending.push({ rule, left, channelId })
  }

  take(channelId: string): DeliveryRule | undefined {
    if (this.#pending.length === 0) return undefined
    const found = this.#pending.find((one) => one.channelId === undefined || one.channelId === channelId)
    if (!found) return undefined
    found.left -= 1
    if (found.left === 0) this.#pending = this.#pending.filter((one) => one !== found)
    return found.rule
  }

  hold(channelId: string | undefined): void {
    if (channelId !== undefined) this.#held.add(channelId)
    else {
      this.#allHeld = true
      this.#released.clear()
    }
  }

  /** Releases a channel, or all. */
  release(channelId: string | undefined): void {
    if (channelId !== undefined) {
      this.#held.delete(channelId)
      this.#released.add(channelId)
    } else {
      this.#allHeld = false
      this.#held.clear()
    }
  }

  /** Drops incomplete `reorder` rules. Returns their messages, the last one first. */
  dropReorders(channelId: string | undefined): Message[] {
    const given = ({ rule, channelId: of }: PendingRule) =>
      rule.what === 'reorder' && (channelId === undefined || of === channelId) ? rule.gathered : []
    const gathered = this.#pending.flatMap((one) => [...given(one)].reverse())
    this.#pending = this.#pending.filter((one) => given(one).length === 0)
    return gathered
  }

  holds(channelId: string): boolean {
    return this.#held.has(channelId) || (this.#allHeld && !this.#released.has(channelId))
  }
}
