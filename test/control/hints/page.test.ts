import { expect, test } from 'vitest'
import { HINTS, type HintRow } from '../../../src/control/hints/table.ts'

const section = ([code, { title, why }]: [string, HintRow]): string => `
## ${code}

**${title}.** ${why}
`

/** The generated page; `npx vitest run test/control/hints/page.test.ts -u` writes it. */
const page = `# Hints

This page explains the hints that fake-calendar adds to responses. The service answers some mistakes with two words, and ignores others. If a request uses
something that the service ignores or that the fake simplifies, or fails with an unclear error, the response has a header:

<!-- not run: a header of a reply -->
\`\`\`
X-Fake-Calendar-Hint: FC101 timeMin=2026-01-01 needs a time and an offset. Write timeMin=2026-01-01T00:00:00Z
\`\`\`

If only a few values are possible, the hint lists them. The same hints are in the journal, \`fake.calls()\`, and on the
line that \`--log\` prints for each request. A code keeps its meaning forever. With \`--strict-surface\`, or \`strictSurface: true\` in process,
unknown parameters and fields (FC102, FC103, FC201) are rejected: 400, with the hint as the message. This page is generated from
\`src/control/hints/table.ts\`.

\`\`\`js
import { createFakeCalendar } from 'fake-calendar'

const headers = { Authorization: 'Bearer alice@example.com' }
const path = '/calendar/v3/calendars/primary/events?singleEvent=true'
const fake = createFakeCalendar()
const reply = await fake.request(path, { headers })
const [call] = fake.calls('events.list')
console.log(reply.status, reply.headers.get('X-Fake-Calendar-Hint').slice(0, 5)) // 200 FC102
console.log(call.hints[0].instead) // Did you mean singleEvents?
const strict = createFakeCalendar({ strictSurface: true })
console.log((await strict.request(path, { headers })).status) // 400
\`\`\`
${Object.entries(HINTS).map(section).join('')}`

test('docs/reference/hints.md is generated from the table', async () => {
  await expect(page).toMatchFileSnapshot('../../../docs/reference/hints.md')
})
