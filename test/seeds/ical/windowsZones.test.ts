import { expect, test } from 'vitest'
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana'

/** The file that holds the table, as it follows from CLDR's. */
function written(): string {
  const names = [...new Set(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => windowsName))].sort()
  const rows = names.map((name) => `${name}=${findIana(name, '001')[0]}`)
  return `/**
 * What Windows calls the zones of the world, by CLDR's table as the package windows-iana has it. The test of this file
 * writes it: \`npx vitest run test/seeds/ical/windowsZones.test.ts -u\`.
 */
const TABLE = \`
${rows.join('\n')}
\`

/** By the names in small letters. */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split('\\n')
    .map((row) => row.split('='))
    .map(([name = '', zone = '']) => [name.toLowerCase(), zone]),
)
`
}

test('the table of Windows zones is that of the package', async () => {
  await expect(written()).toMatchFileSnapshot('../../../src/seeds/ical/windowsZones.ts')
})
