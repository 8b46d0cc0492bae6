import { CALENDARS } from './refusals/calendars.ts'
import { CALLERS } from './refusals/callers.ts'
import { CHANNELS } from './refusals/channels.ts'
import { EVENTS } from './refusals/events.ts'
import { LISTS } from './refusals/lists.ts'
import { MEETINGS } from './refusals/meetings.ts'
import { OAUTH } from './refusals/oauth.ts'
import { ON_CUE } from './refusals/onCue.ts'
import { OURS } from './refusals/ours.ts'
import { RECORDS } from './refusals/records.ts'
import { REQUESTS } from './refusals/requests.ts'
import type { Row } from './refusals/row.ts'

/** Every refusal there is, by its name: a table a chapter. */
export const REFUSALS = {
  ...REQUESTS,
  ...CALLERS,
  ...RECORDS,
  ...LISTS,
  ...EVENTS,
  ...MEETINGS,
  ...CALENDARS,
  ...OAUTH,
  ...CHANNELS,
  ...ON_CUE,
  ...OURS,
}

export type RefusalName = keyof typeof REFUSALS
/** What a fault may fail with, by its name. */
export type FaultName = RefusalName
/** The number of the project that the service names where it speaks of one. */
export const PROJECT = '100000000001'
export type Details = Readonly<Record<string, string | number>>
export type Fault = { readonly named: RefusalName; readonly details: Details }

/** Thrown from anywhere and written as a reply by `http/errors.ts`. Of several faults the first gives code and message. */
export class Refusal extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(faults[0] ? said(faults[0]) : '')
    this.faults = faults
  }
}

export const refuse = (named: RefusalName, details: Details = {}): never => {
  throw new Refusal([{ named, details }])
}

/** Refuses with every fault found, if there is one. */
export const refuseAll = (faults: readonly Fault[]): void => {
  if (faults.length > 0) throw new Refusal(faults)
}

export const rowOf = ({ named }: Fault): Row => REFUSALS[named]
export const said = (fault: Fault): string => filled(rowOf(fault).message, fault.details)
export const filled = (text: string, details: Details): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
