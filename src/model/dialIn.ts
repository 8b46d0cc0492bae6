import type { EntryPoint } from '../schema/event.ts'
import type { Ids } from './ids.ts'

const NUMBERS = new Map([
  ['AU', '+61 2 7010 ####'],
  ['BR', '+55 11 9#### #####'],
  ['CA', '+1 604-555-01##'],
  ['DE', '+49 40 808161####'],
  ['ES', '+34 9#### #####'],
  ['FR', '+33 1 99 00 ## ##'],
  ['GB', '+44 20 7946 0###'],
  ['IE', '+353 20 91# ####'],
  ['IN', '+91 22 0### ####'],
  ['IT', '+39 02 0### ####'],
  ['JP', '+81 3-0###-####'],
  ['NL', '+31 20 0## ####'],
  ['SE', '+46 8 465 004 ##'],
  ['US', '+1 617-555-01##'],
])

export const REGIONS = [...NUMBERS.keys()]
export const isRegion = (region: string): boolean => NUMBERS.has(region)

/** The telephone of a Workspace account's conference, in the order of a reply (behaviour 9.5). */
export function createPhoneEntryPoints(code: string, region: string, ids: Pick<Ids, 'digits'>): EntryPoint[] {
  const pin = ids.digits(13)
  const label = (NUMBERS.get(region) ?? '').replace(/#+/g, ({ length }) => ids.digits(length))
  return [
    { entryPointType: 'more', uri: `https://tel.meet/${code}?pin=${pin}`, pin },
    {
      regionCode: region,
      entryPointType: 'phone',
      uri: `tel:${label.replaceAll(' ', '-')}`,
      label,
      pin: ids.digits(9),
    },
  ]
}
