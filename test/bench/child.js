import { startChild } from './turns.js'

/** Starts a server in a process of its own. */
export async function startServer(kind, given) {
  const { query, stop } = await startChild('server.js', [kind])
  const { port } = await query(given)
  /** The microseconds of the processor that it has taken. */
  const cpu = async () => (await query('cpu')).cpu
  return { kind, port, cpu, stop }
}
