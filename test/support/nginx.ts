import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, ROOT, serve } from './command.ts'
import { pathOf } from './programs.ts'

const CONFIGURATION = join(ROOT, 'docs', 'guides', 'scaling', 'nginx.conf')

/**
 * Starts nginx with the configuration of the docs, and one process of the command for each `server` in it. Returns their
 * URLs, and `stop`, which ends all.
 */
export async function startNginx() {
  const text = readFileSync(CONFIGURATION, 'utf8')
  const serverPorts = [...text.matchAll(/^ *server 127\.0\.0\.1:(\d+) /gm)].map(([, port]) => port)
  const processes = await Promise.all(serverPorts.map(() => serve()))
  const listen = await freePort()
  const ports = new Map(serverPorts.map((port, at) => [port, processes[at]?.port]))
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-nginx-'))
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    text.replace(/127\.0\.0\.1:(\d+)/g, (_, port) => `127.0.0.1:${ports.get(port) ?? listen}`),
  )
  const nginx = launch(['-e', 'stderr', '-p', folder, '-c', file], { command: pathOf('nginx') })
  const url = `http://127.0.0.1:${listen}`
  // nginx prints only errors, so output means that it could not start.
  await Promise.race([waitForReply(url), nginx.printed(/./)])
  return {
    url,
    processes: processes.map((one) => one.url),
    async stop() {
      await nginx.stop()
      await Promise.all(processes.map(({ stop }) => stop()))
      rmSync(folder, { recursive: true })
    },
  }
}

/** Returns a free loopback port, because nginx does not accept port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Waits until a server responds to requests, which are repeated. Throws the error of the last of 2,000. */
async function waitForReply(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(`${url}/_control/health`)
      return
    } catch (error) {
      if (tries > 2000) throw error
    }
  }
}
