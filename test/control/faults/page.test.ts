import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_ERRORS } from '../../../src/schema/apiErrors.ts'
import { errorOfFault, FAULT_NAMES } from '../../../src/schema/faultNames.ts'

const PAGE = new URL('../../../docs/reference/faults.md', import.meta.url)
const HEAD = '| name | status | message |\n| --- | --- | --- |\n'
const TABLE = /\| name \| status \| message \|\n(?:\|.*\n)+/

const ROWS = FAULT_NAMES.map((name) => {
  const { code, message } = API_ERRORS[errorOfFault(name)]
  return `| \`${name}\` | ${code} | ${message && `\`${message.replaceAll('|', '\\|')}\``} |\n`
})

/** `npx vitest run test/control/faults/page.test.ts -u` writes the table. */
test('docs/reference/faults.md lists every error that a fault can name', async () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toMatch(TABLE)
  await expect(page.replace(TABLE, () => HEAD + ROWS.join(''))).toMatchFileSnapshot(PAGE.pathname)
})
