import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Measures the same response in a growing world. */
const POINT = fileURLToPath(new URL('point.js', import.meta.url))
const EVENTS = [1_000, 10_000, 100_000, 1_000_000]
const SERIES = [1, 10, 100, 1_000, 10_000]

const point = (...given) =>
  JSON.parse(
    execFileSync(process.execPath, ['--max-old-space-size=6000', POINT, ...given.map(String)], { encoding: 'utf8' }),
  )

export function growth() {
  const lines = { list: [], get: [], insert: [], 'ten of series': [] }
  for (const count of EVENTS) {
    const durations = point('events', count)
    for (const name of ['list', 'get', 'insert']) lines[name].push([count, durations[name]])
  }
  for (const count of SERIES) lines['ten of series'].push([count, point('series', count).list])
  return lines
}

const WIDTH = 720
const HEIGHT = 400
const LEFT = 70
const BOTTOM = 350
const COLOURS = ['#2563eb', '#059669', '#d97706', '#9333ea']
const MAX_MICROSECONDS = 10_000 // microseconds at the upper edge
const across = (count) => LEFT + (Math.log10(count) / 6) * (WIDTH - LEFT - 170)
const up = (microseconds) =>
  BOTTOM - (Math.log10(Math.max(microseconds, 1)) / Math.log10(MAX_MICROSECONDS)) * (BOTTOM - 40)

/** Both axes by powers of ten: what costs the same however much there is lies flat. */
export function drawing(lines) {
  const powers = [0, 1, 2, 3, 4, 5, 6].map((power) => 10 ** power)
  const columns = powers.map(
    (count) =>
      `<text x="${across(count)}" y="${BOTTOM + 20}" text-anchor="middle">${count.toLocaleString('en')}</text>`,
  )
  const rows = powers
    .filter((microseconds) => microseconds <= MAX_MICROSECONDS)
    .map(
      (microseconds) =>
        `<path d="M${LEFT} ${up(microseconds)}H${across(1e6)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${up(microseconds) + 4}" text-anchor="end">${microseconds.toLocaleString('en')} µs</text>`,
    )
  const drawn = Object.entries(lines).map(([name, points], nth) => {
    const path = points.map(([count, taken]) => `${across(count).toFixed(0)} ${up(taken).toFixed(0)}`).join('L')
    const legend = `<text x="${across(1e6) + 14}" y="${70 + nth * 22}" fill="${COLOURS[nth]}">${name}</text>`
    return `<path d="M${path}" fill="none" stroke="${COLOURS[nth]}" stroke-width="2"/>${legend}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...[...rows, ...columns, ...drawn],
    `<text x="${LEFT}" y="20">A request while the calendar grows: events, or series without an end</text>`,
    '</svg>',
    '',
  ].join('\n')
}
