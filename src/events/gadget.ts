import type { EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

type Gadget = EventDraft['gadget']

/**
 * A gadget as stored: sizes of at least a pixel, links over https, preferences without empty maps (behaviour 3.2.14).
 */
export function readGadget(given: Gadget): Gadget {
  if (!given) return undefined
  for (const size of ['width', 'height'] as const) {
    if ((given[size] ?? 1) < 1) refuse('invalidValue', { field: `gadget.${size}`, problem: 'must be greater than 0' })
  }
  for (const link of ['link', 'iconLink'] as const) {
    if (given[link] && !/^https:\/\//i.test(given[link])) {
      refuse('invalidValue', { field: `gadget.${link}`, problem: 'not https' })
    }
  }
  const { type, title, link, iconLink, width, height, display, preferences } = given
  const read = { type, title, link, iconLink, width, height, display, preferences }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => isSaid(value)))
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(typeof value === 'object' && Object.keys(value ?? {}).length === 0)
