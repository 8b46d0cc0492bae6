import { spawn } from 'node:child_process'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { median } from './median.js'

const COMMAND = fileURLToPath(new URL('../../bin/fake-calendar.js', import.meta.url))
const RUNS = 21

/** From spawning the command to the end of its first answer, in turn with a Node that does nothing. */
export async function coldStart() {
  const ours = []
  const bare = []
  for (let run = 0; run < RUNS; run++) {
    bare.push(await bareNode())
    ours.push(await firstAnswer())
  }
  return { ours: median(ours), bare: median(bare), runs: RUNS }
}

function bareNode() {
  const start = performance.now()
  return new Promise((resolve) => {
    spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('exit', () => resolve(performance.now() - start))
  })
}

function firstAnswer() {
  const start = performance.now()
  const command = spawn(process.execPath, [COMMAND, '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    command.stdout.once('data', (line) => {
      const { baseUrl } = JSON.parse(line)
      get(
        `${baseUrl}/users/me/calendarList`,
        { headers: { Authorization: 'Bearer alice@example.com' } },
        (response) => {
          response.resume().on('end', () => {
            const taken = performance.now() - start
            command.once('exit', () => (response.statusCode === 200 ? resolve(taken) : reject(response.statusCode)))
            command.kill()
          })
        },
      ).on('error', reject)
    })
  })
}
