import { findAccount } from '../../oauth/credentials.ts'
import type { RequestContext } from '../requestContext.ts'
import type { Visit } from '../worldRegistry.ts'
import { isJournaledRead } from './requireTrusted.ts'

/** Enters the world of a request. Throws an error for names that are not allowed. The world is left with the response. */
export function enterWorld(context: RequestContext, name: string = context.worldName): Visit {
  const visit = context.registry.openVisit(name)
  const { controls } = visit.world
  context.visit = visit
  context.controls = context.isInspectorRead ? controls.createInspectorControls(isJournaledRead(context)) : controls
  const { partOf } = context
  if (!partOf) return visit
  partOf.journal ??= controls.journal
  partOf.number ??= partOf.journal.nextBatchNumber()
  context.batch = partOf.number
  return visit
}

/** Enters the world if there is one, for requests that never create a world and accept any credentials: batch and discovery. */
export function enterExistingWorld(context: RequestContext): void {
  const { registry, worldName, request, query } = context
  context.createsWorld = false
  if (!registry.has(worldName)) return
  enterWorld(context)
  context.account = findAccount(context.data, request, { query, auth: registry.options.auth })
}
