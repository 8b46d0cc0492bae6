import { expect, test } from 'vitest'
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana'

/** Returns the source file with the table from CLDR. */
function written(): string {
  const names = [...new Set(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => windowsName))].sort()
  const rows = names.map((name) => `${name}=${findIana(name, '001')[0]}`)
  return `/**
 * Windows names of zones, from the CLDR table in the package windows-iana. To regenerate: \`npx vitest run
 * test/seeds/ical/windowsZones.test.ts -u\`.
 */
const TABLE = \`
${rows.join('\n')}
\`

/** Zones by their Windows name in lower case. */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split('\\n')
    .map((row) => row.split('='))
    .map(([name = '', zone = '']) => [name.toLowerCase(), zone]),
)
`
}

test('the table of Windows zones equals that of the package', async () => {
  await expect(written()).toMatchFileSnapshot('../../../src/seeds/ical/windowsZones.ts')
})
