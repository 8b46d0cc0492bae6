/** The fields of an item that a syncing client needs. */
export type SyncItem = { id: string; status: string; recurringEventId?: string }

/**
 * Applies a delta to the items of a client, `known`, in place. A deleted series is one item, which includes its exceptions
 * (behaviour 5.11). A client that shows deleted events keeps cancelled items.
 */
export function applyDelta<T extends SyncItem>(
  known: Map<string, T>,
  delta: readonly T[],
  { keepsDeleted = false } = {},
): void {
  // The order in a delta is the service's own, so that a changed exception can precede its deleted series.
  const deleted = new Set(delta.filter(({ status }) => status === 'cancelled').map(({ id }) => id))
  for (const [id, { recurringEventId = '' }] of known)
    if (deleted.has(id) || deleted.has(recurringEventId)) known.delete(id)
  for (const item of delta) if (item.status !== 'cancelled' || keepsDeleted) known.set(item.id, item)
}
