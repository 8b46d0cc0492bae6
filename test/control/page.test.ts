import { expect, test } from 'vitest'
import { CHAPTERS, RAW_ROUTES, REMOTE_ONLY } from '../../src/control/operations/index.ts'
import type { Operation } from '../../src/control/operations/operation.ts'
import { fillPath } from '../support/fillPath.ts'
import { formatControlRows } from '../support/holds.ts'
import { LIFECYCLE_OPERATIONS, LIFECYCLE_TABLE, OUTCOME_LABELS } from '../support/lifecycleTable.ts'

type Chapters = Readonly<Record<string, readonly Operation[]>>

/** The generated page; `npx vitest run test/control/page.test.ts -u` writes it. */
const page = (chapters: Chapters): string => `# Control

This page lists every operation of a test author: its route under \`/_control\`, and its function in process.

\`\`\`sh
curl -s -X PUT http://127.0.0.1:8787/_control/clock --json '{ "mode": "frozen", "now": "2026-03-02T09:00:00Z" }'
curl -s -X POST http://127.0.0.1:8787/_control/clock/advance --json '{ "by": "1h30m" }'
curl -s -X POST http://127.0.0.1:8787/_control/reset
\`\`\`

A route and its function take the same input and have the same errors: in process a RangeError, or a SeedError for a
seed. A function returns the value inside the reply of its route: \`fake.mail()\` returns the list itself. A route whose
function returns nothing replies \`{ "done": true }\` or the new state.

A route is named like its function: \`fake.notifications.until()\` is \`/notifications/until\`. Of a group, \`state\` and
\`list\` are \`GET\`, \`add\` is \`POST\`, \`set\` is \`PUT\`, \`clear\` and \`remove\` are \`DELETE\`. Worlds and snapshots
are resources, which the path names.

Routes apply to the world of the request (\`X-Fake-World: blue\`), and functions to their world: \`fake\`, or
\`fake.world('blue')\`. Routes answer only this machine, by its loopback names, take only JSON, and reject requests from pages of
other sites. With \`--control-token TOKEN\` they require it in \`X-Fake-Control-Token\`, and also answer other machines.

Only in process: \`fake.clock.now()\`, \`fake.clock.advance()\` and \`advanceTo()\`, which move the clock at
once and wait for no message, \`fake.diff().verify()\`, and \`fake.onNotification()\`, which replaces the HTTP delivery. Only
as routes:
${RAW_ROUTES.map(({ verb, path, summary }) => `\n- \`${verb} ${path}\`: ${summary}`).join('')}

This page is generated from the tables in \`src/control/\`.
${Object.entries(chapters)
  .map(([title, rows]) => chapter(title, rows))
  .join('')}
## Lifecycle of a world

A reset returns to the initial state of the world, and a restore to a snapshot. A seed adds data; \`replace\` and \`PUT\` replace
all data. A fork is a new world that starts from a snapshot.

| | ${LIFECYCLE_OPERATIONS.map((turn) => `\`${turn}\``).join(' | ')} | contents |
| --- | ${LIFECYCLE_OPERATIONS.map(() => '---').join(' | ')} | --- |
${Object.entries(LIFECYCLE_TABLE)
  .map(
    ([part, row]) =>
      `| ${part} | ${LIFECYCLE_OPERATIONS.map((turn) => OUTCOME_LABELS[row[turn]]).join(' | ')} | ${row.about} |\n`,
  )
  .join('')}
## Duration of a control

A control applies to one world; options and hints apply to every world. \`ends\` means that the request is answered as without the
control.

${formatControlRows()}
`

const chapter = (title: string, rows: readonly Operation[]): string => `
## ${title}

| route | in process | does | for example |
| --- | --- | --- | --- |
${rows.map(line).join('')}`

/** Functions that are described as in-process alone. */
const SYNCHRONOUS = ['clock.now', 'clock.advance', 'clock.advanceTo']

const line = ({ functions, verb, path, summary, example }: Operation): string => {
  const ways = Object.keys(functions)
    .filter((name) => !SYNCHRONOUS.includes(name) && !REMOTE_ONLY.includes(name))
    .map((name) => `\`fake.${name}()\``)
  return `| \`${verb} ${path}\` | ${ways.join('<br>')} | ${summary} | ${exampleOf(verb, fillPath(path, example).left)} |\n`
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

test('docs/reference/control.md is generated from the tables', async () => {
  await expect(page(CHAPTERS)).toMatchFileSnapshot('../../docs/reference/control.md')
})
