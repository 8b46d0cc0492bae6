import type { EntryPoint } from '../wire/conferenceData.ts'
import { refuse } from '../wire/refusals.ts'

/** The ways into a conference: how many of each, and what their addresses begin with (behaviour 9.16). */
const WAYS: Record<NonNullable<EntryPoint['entryPointType']>, { most: number; schemes: readonly string[] }> = {
  video: { most: 1, schemes: ['http:', 'https:'] },
  phone: { most: Number.POSITIVE_INFINITY, schemes: ['tel:'] },
  sip: { most: 1, schemes: ['sip:'] },
  more: { most: 1, schemes: ['http:', 'https:'] },
}

const LONGEST = {
  uri: 1300,
  label: 512,
  meetingCode: 128,
  accessCode: 128,
  passcode: 128,
  password: 128,
  pin: 128,
} as const satisfies Partial<Record<keyof EntryPoint, number>>

/** The order of a reply (behaviour 9.16). */
const ORDER = [
  'regionCode',
  'entryPointType',
  'uri',
  'label',
  'pin',
  'accessCode',
  'meetingCode',
  'passcode',
  'password',
  'entryPointFeatures',
] as const satisfies (keyof EntryPoint)[]

const FIELD = 'conferenceData.entryPoints'

/** Entry points as stored, or a refusal that names the field. `regionCode` is kept on phone numbers alone (behaviour 9.16). */
export function readEntryPoints(given: readonly EntryPoint[]): EntryPoint[] {
  const read = given.map((entryPoint, at) => readEntryPoint(entryPoint, `${FIELD}[${at}]`))
  for (const [type, { most }] of Object.entries(WAYS)) {
    if (read.filter(({ entryPointType }) => entryPointType === type).length > most) {
      refuse('invalidValue', { field: FIELD, problem: `more than ${most} of type ${type}` })
    }
  }
  if (read.length > 0 && read.every(({ entryPointType }) => entryPointType === 'more')) {
    refuse('invalidValue', { field: FIELD, problem: 'more is no way in by itself' })
  }
  return read
}

function readEntryPoint(given: EntryPoint, field: string): EntryPoint {
  const type = given.entryPointType ?? refuse('missingField', { field: `${field}.entryPointType` })
  const uri = given.uri || refuse('missingField', { field: `${field}.uri` })
  const { schemes } = WAYS[type]
  if (!schemes.some((scheme) => uri.toLowerCase().startsWith(scheme))) {
    refuse('invalidValue', { field: `${field}.uri`, problem: `must begin with ${schemes.join(' or ')}` })
  }
  for (const [name, longest] of Object.entries(LONGEST) as [keyof typeof LONGEST, number][]) {
    if ((given[name]?.length ?? 0) > longest) {
      refuse('invalidValue', { field: `${field}.${name}`, problem: `longer than ${longest} characters` })
    }
  }
  const features = (given.entryPointFeatures ?? []).map((feature) => feature.toLowerCase().replace('-', '_'))
  if (features.includes('toll') && features.includes('toll_free')) {
    refuse('invalidValue', { field: `${field}.entryPointFeatures`, problem: 'toll and toll-free at once' })
  }
  const { regionCode, ...rest } = given
  const kept: EntryPoint = type === 'phone' ? given : rest
  return Object.fromEntries(ORDER.flatMap((name) => (isSaid(kept[name]) ? [[name, kept[name]]] : [])))
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && !value.length)
