import { expect, test } from 'vitest'
import type { Operation } from '../../src/control/operation.ts'
import { CHAPTERS } from '../../src/control/operations.ts'
import { RAW_ROUTES } from '../../src/control/rawRoutes.ts'
import { FATES, PARTS, TURNS } from '../../src/life/parts.ts'
import { placed } from '../support/placed.ts'

type Chapters = Readonly<Record<string, readonly Operation[]>>

/** What an update of the snapshot (`npx vitest run test/control/page.test.ts -u`) writes. */
const page = (chapters: Chapters): string => `# Control

What a test author may do to a world that nobody can do to the real service. Each line is one operation: a route of the server,
and a function in process, which takes the same and says the same when it cannot be: there as a RangeError, or a SeedError for a
seed. A function hands over what stands inside the route's reply: \`fake.mail()\` is the list itself.

The routes are about the world that the request names (\`X-Fake-World: blue\` is the handy way), the functions about the world
that they are called on: \`fake\`, or \`fake.world('blue')\`. The routes answer this machine alone, by its loopback names, take only
JSON, and refuse pages of other origins; with \`--control-token TOKEN\` they ask for it in \`X-Fake-Control-Token\`, and answer
other machines too.

\`\`\`sh
curl -s -X PUT http://127.0.0.1:8787/_control/clock --json '{ "mode": "frozen", "now": "2026-03-02T09:00:00Z" }'
curl -s -X POST http://127.0.0.1:8787/_control/clock/advance --json '{ "by": "1h30m" }'
curl -s -X POST http://127.0.0.1:8787/_control/reset
\`\`\`

In process alone there is besides: \`fake.clock.now()\`, and \`fake.clock.advance()\` and \`advanceTo()\`, which move the clock at
once and wait for no message; \`fake.diff().verify()\`; and \`fake.onNotification()\`, which takes the place of a socket. By a
route alone there are:
${RAW_ROUTES.map(({ verb, path, summary }) => `\n- \`${verb} ${path}\`: ${summary}`).join('')}

This page is written from the tables in \`src/control/\`.
${Object.entries(chapters)
  .map(([title, rows]) => chapter(title, rows))
  .join('')}
## What becomes of a world

A reset goes back to what the world began with, a restore to a snapshot; a seed is added, or with \`replace\` and \`PUT\` takes the
place of all; a fork is a world that begins with a snapshot of another.

| | ${TURNS.map((turn) => `\`${turn}\``).join(' | ')} | what it is |
| --- | ${TURNS.map(() => '---').join(' | ')} | --- |
${Object.entries(PARTS)
  .map(([part, row]) => `| ${part} | ${TURNS.map((turn) => FATES[row[turn]]).join(' | ')} | ${row.about} |\n`)
  .join('')}`

const chapter = (title: string, rows: readonly Operation[]): string => `
## ${title}

| route | in process | does | for example |
| --- | --- | --- | --- |
${rows.map(line).join('')}`

const line = ({ verb, path, inProcess, summary, example }: Operation): string => {
  const ways = Object.keys(inProcess).map((name) => `\`fake.${name}()\``)
  return `| \`${verb} ${path}\` | ${ways.join('<br>')} | ${summary} | ${exampleOf(verb, placed(path, example).left)} |\n`
}

const exampleOf = (verb: string, example: unknown): string => {
  if (example === undefined) return ''
  return verb === 'GET' ? `\`?${new URLSearchParams(example as Record<string, string>)}\`` : `\`${spaced(example)}\``
}

/** JSON on one line, as a person would write it. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/\[ (.*?) \]/g, '[$1]')

test('docs/control.md is the tables as they stand', async () => {
  await expect(page(CHAPTERS)).toMatchFileSnapshot('../../docs/control.md')
})
