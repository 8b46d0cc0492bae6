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
  const lines = all.map((row) => row.map((cell, at) => cell.padEnd(widths[at])).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

const inMarkdown = (rows) =>
  [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)].map((row) => `| ${row.join(' | ')} |`).join('\n')

export const pageOf = (rows, notes) => `# Performance

Written by \`npm run bench\` on ${machine()}.

The figures are the processor time of a request, as the median of rounds in which each side has its turn. A start and an import are
elapsed time. A ratio is the median of the ratios of the rounds. Servers run in processes of their own, and answer over 10 connections that
are kept. The world holds 10,000 events of 1.2 kB.

${inMarkdown(rows.filter(({ isMain }) => isMain))}
${notes.map((note) => `\n${note}\n`).join('')}
## Details

${inMarkdown(rows.filter(({ isMain }) => !isMain))}
`
