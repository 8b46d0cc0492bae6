import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('server.js', import.meta.url))

/** Starts a server in a process of its own. */
export async function startServer(kind, given) {
  const child = fork(SERVER, [kind], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.send(given)
  const [{ port }] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${kind} ended with ${code}`))),
  ])
  return {
    kind,
    port,
    /** The microseconds of the processor that it has taken. */
    async cpu() {
      child.send('cpu')
      const [{ cpu }] = await once(child, 'message')
      return cpu
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
