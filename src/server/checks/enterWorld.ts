import type { Journal } from '../../control/journal/journal.ts'
import { findAccount } from '../../oauth/credentials.ts'
import type { Batch, RequestContext } from '../requestContext.ts'
import type { WorldEntry } from '../requestRecord.ts'
import { isJournaledRead } from './requireTrusted.ts'

type EntryOptions = { name?: string; isInspected?: boolean }

/**
 * Enters the world of a request. Throws an error for names that are not allowed. The world is left with the response. A read
 * of the inspector has controls of its own, meets no faults, and creates no world.
 */
export function enterWorld(
  context: RequestContext,
  { name = context.worldName, isInspected = false }: EntryOptions = {},
): WorldEntry {
  const { registry, record, partOf } = context
  const visit = registry.openVisit(name)
  const { controls } = visit.world
  if (isInspected) record.createsWorld = false
  record.entry = {
    visit,
    isInspected,
    controls: isInspected ? controls.createInspectorControls(isJournaledRead(context)) : controls,
    batch: partOf && numberBatch(partOf, controls.journal),
  }
  return record.entry
}

function numberBatch(batch: Batch, journal: Journal): number {
  batch.journal ??= journal
  batch.number ??= batch.journal.nextBatchNumber()
  return batch.number
}

/** For requests that never create a world and accept any credentials: batch and discovery. */
export function enterExistingWorld(context: RequestContext): void {
  const { registry, worldName, request, query, record } = context
  record.createsWorld = false
  if (!registry.has(worldName)) return
  const { world } = enterWorld(context).visit
  record.identity = { account: findAccount(world.data, request, { query, auth: registry.options.auth }) }
}
