import { expect, test } from 'vitest'

import { runCommand } from '../support/command.ts'

const COMMANDS = ['exec', 'proxy', 'export', 'seed', 'capture', 'mcp', 'eval', 'prove']

const section = (title: string, help: string) => `
## ${title}

<!-- not run: printed by --help -->
\`\`\`text
${help.trim()}
\`\`\`
`

async function helpOf(command: readonly string[]): Promise<string> {
  const { code, stdout } = await runCommand([...command, '--help'])
  expect(code).toBe(0)
  return stdout
}

test('docs/reference/command-line.md is generated from the help of each command', async () => {
  const helps = await Promise.all([[], ...COMMANDS.map((name) => [name])].map(helpOf))
  const titles = ['fake-calendar', ...COMMANDS.map((name) => `fake-calendar ${name}`)]
  // An update of the snapshot (`npx vitest run test/cli/page.test.ts -u`) writes the page.
  const page = `# Command line

This page lists the commands and their options, as \`--help\` prints them.

\`\`\`sh
npx fake-calendar --help
\`\`\`
${helps.map((help, at) => section(titles[at] ?? '', help)).join('')}`

  await expect(page).toMatchFileSnapshot('../../docs/reference/command-line.md')
})
