/**
 * `node runPrograms.js programs.json`: runs ES modules one after the other in this process, because most of a short program
 * is the start of its process. Before each, the server at `rootUrl` gets its seed. Writes how each ended to `ended.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

const { rootUrl, programs } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const ended = []
for (const { file, seed } of programs) {
  const headers = { 'Content-Type': 'application/json' }
  const { ok } = await fetch(`${rootUrl}_control/replace`, { method: 'POST', headers, body: seed })
  if (!ok) throw new Error(`the seed of ${file} is rejected`)
  ended.push(await runProgram(file))
}
writeFileSync('ended.json', JSON.stringify(ended))

async function runProgram(file) {
  const result = { code: 0, stdout: '', stderr: '' }
  const originals = { stdout: process.stdout.write, stderr: process.stderr.write }
  for (const stream of ['stdout', 'stderr'])
    process[stream].write = (chunk) => {
      result[stream] += chunk
      return true
    }
  try {
    await import(pathToFileURL(file).href)
    result.code = process.exitCode ?? 0
  } catch (error) {
    result.code = 1
    result.stderr += inspect(error)
  }
  process.exitCode = undefined
  for (const stream of ['stdout', 'stderr']) process[stream].write = originals[stream]
  return result
}
