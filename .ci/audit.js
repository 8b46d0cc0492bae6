// Prints the known vulnerabilities of the bundled packages as warnings. Reads the output of `npm audit --json`.
import { readFileSync } from 'node:fs'

const notices = readFileSync(process.argv[2] ?? 'THIRD-PARTY-NOTICES.md', 'utf8')
const bundled = new Set([...notices.matchAll(/^## (\S+) \d\S* \(/gm)].map(([, name]) => name))

function parseVulnerabilities(text) {
  try {
    return JSON.parse(text).vulnerabilities
  } catch {
    return undefined
  }
}

const vulnerabilities = parseVulnerabilities(readFileSync(0, 'utf8'))
if (vulnerabilities === undefined) console.log('warning: the registry did not answer npm audit')
else {
  const found = Object.values(vulnerabilities).filter(({ name }) => bundled.has(name))
  for (const { name, severity, via } of found)
    console.log(`warning: ${name} (${severity}): ${via.map((one) => one.url ?? one).join(', ')}`)
  console.log(`${bundled.size} bundled packages, ${found.length} with known vulnerabilities`)
}
