/**
 * Takes into a client's mirror of a calendar what a sync tells of. A deleted series is one item, which stands for its
 * changed instances too (behaviour 5.11).
 */
export function fold<I extends { id: string; status: string }>(mirror: Map<string, I>, items: readonly I[]): void {
  for (const item of items) {
    if (item.status !== 'cancelled') mirror.set(item.id, item)
    else for (const id of mirror.keys()) if (`${id}_`.startsWith(`${item.id}_`)) mirror.delete(id)
  }
}
