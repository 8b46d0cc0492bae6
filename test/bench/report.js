import { cpus, totalmem, type } from 'node:os'

const HEAD = ['what', 'ours', 'beside', 'ratio', 'target', 'met']
const cellsOf = ({ what, ours, beside = '', ratio = '', target = '', met }) => [
  ...[what, ours, beside, ratio, target],
  met === undefined ? '' : met ? 'met' : 'not met',
]

/** The machine that the figures are of: they say little of another. */
export const machine = () => {
  const [{ model }, ...others] = cpus()
  return `${model.trim()}, ${others.length + 1} processors, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}, Node ${process.version}`
}

export function inColumns(rows) {
  const all = [HEAD, ...rows.map(cellsOf)]
  const widths = HEAD.map((_, at) => Math.max(...all.map((row) => row[at].length)))
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const inMarkdown = (rows) =>
  [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)].map((row) => `| ${row.join(' | ')} |`).join('\n')

export const pageOf = (rows, notes, lines) => `# Performance

Written by \`npm run bench\` on ${machine()}.

Servers are measured in processes of their own, in turn, round after round, over 10 connections that are kept: the time of the
processor that a request takes, the median of the rounds, and the median of the ratios of each round. A ratio says how many times
as much the other takes.

${inMarkdown(rows)}
${notes.map((note) => `\n${note}\n`).join('')}
## While it grows

Microseconds of a request, called in process: a week of ten events, one event and one more event in a calendar of so many; and
the next ten instances among so many daily series without an end, begun in 2000.

![Microseconds of a request by the number of events](bench.svg)

${Object.entries(lines)
  .map(
    ([name, points]) =>
      `- ${name}: ${points.map(([count, taken]) => `${count.toLocaleString('en')}: ${taken.toFixed(0)} µs`).join(', ')}`,
  )
  .join('\n')}
`
