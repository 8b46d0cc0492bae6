import { apiError, throwApiError } from '../../schema/apiErrors.ts'

type Palette = Readonly<Record<string, { background: string; foreground: string }>>

const FOREGROUND = '#1d1d1d'
const palette = (...backgrounds: string[]): Palette =>
  Object.fromEntries(backgrounds.map((background, at) => [String(at + 1), { background, foreground: FOREGROUND }]))

/** The palettes of behaviour 3.8. */
export const COLORS = {
  kind: 'calendar#colors',
  updated: '2012-02-14T00:00:00.000Z',
  // biome-ignore format: a palette reads as a palette
  calendar: palette(
    '#ac725e', '#d06b64', '#f83a22', '#fa573c', '#ff7537', '#ffad46', '#42d692', '#16a765',
    '#7bd148', '#b3dc6c', '#fbe983', '#fad165', '#92e1c0', '#9fe1e7', '#9fc6e7', '#4986e7',
    '#9a9cff', '#b99aff', '#c2c2c2', '#cabdbf', '#cca6ac', '#f691b2', '#cd74e6', '#a47ae2',
  ),
  // biome-ignore format: a palette reads as a palette
  event: palette(
    '#a4bdfc', '#7ae7bf', '#dbadff', '#ff887c', '#fbd75b', '#ffb878', '#46d6db', '#e1e1e1', '#5484ed', '#51b749', '#dc2127',
  ),
}

/** The colours of a list entry. The foreground is black although that of the palette is not (behaviour 3.5.3). */
export type EntryColor = { colorId: string; backgroundColor: string; foregroundColor: string }

const ENTRY_FOREGROUND = '#000000'

export function entryColor(colorId: string): EntryColor {
  const known = Object.hasOwn(COLORS.calendar, colorId) ? COLORS.calendar[colorId] : undefined
  const { background } = known ?? throwApiError('invalidValue', { field: 'colorId', problem: `no color ${colorId}` })
  return { colorId, backgroundColor: background, foregroundColor: ENTRY_FOREGROUND }
}

/** Returns the colours of a new entry: those of the palette in turn. */
export const nextEntryColor = (entries: number): EntryColor =>
  entryColor(String((entries % Object.keys(COLORS.calendar).length) + 1))

/** Returns colours given in RGB, with the id of the nearest colour of the palette (behaviour 3.5.3). */
export function rgbColor(backgroundColor: string, foregroundColor: string): EntryColor {
  const [wanted] = [rgb('backgroundColor', backgroundColor), rgb('foregroundColor', foregroundColor)]
  const distance = (background: string) =>
    rgb('background', background).reduce((sum, part, at) => sum + (part - (wanted[at] ?? 0)) ** 2, 0)
  const [nearest = ['1']] = Object.entries(COLORS.calendar).sort(
    ([, a], [, b]) => distance(a.background) - distance(b.background),
  )
  return { colorId: nearest[0], backgroundColor, foregroundColor }
}

function rgb(field: string, color: string): number[] {
  if (!/^#[0-9a-f]{6}$/i.test(color))
    throw apiError('invalidValue', { field, problem: `${color} is not a color such as #0088aa` })
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
