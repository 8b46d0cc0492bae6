import { cpus, totalmem, type } from 'node:os'

const HEAD = ['what', 'ours', 'beside', 'ratio', 'target', 'met']
const cellsOf = ({ what, ours, beside = '', ratio = '', target = '', met }) => [
  ...[what, ours, beside, ratio, target],
  met === undefined ? '' : met ? 'met' : 'not met',
]

/** The machine of the figures, which do not apply to others. */
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

Each server runs in a process of its own and is measured in turn, round after round, over 10 connections that are kept. The figures are the
processor time of a request, as the median of the rounds, and the median of the ratios of each round. A ratio is the time of the other server
divided by ours.

${inMarkdown(rows)}
${notes.map((note) => `\n${note}\n`).join('')}
## While it grows

Microseconds of a request in process, by the number of events in the calendar: a list of a week with ten events, a get and an insert. And by the number of
endless daily series that began in 2000: a list of the next ten instances.

![Microseconds of a request by the number of events](bench.svg)

${Object.entries(lines)
  .map(
    ([name, points]) =>
      `- ${name}: ${points.map(([count, taken]) => `${count.toLocaleString('en')}: ${taken.toFixed(0)} µs`).join(', ')}`,
  )
  .join('\n')}
`
