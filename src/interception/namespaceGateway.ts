import { request } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { joinConnections } from './relay.ts'

/**
 * A program that runs inside a network namespace and is the only exit from it. It passes connections to its ports to
 * the proxy outside, over a Unix socket. Over another one, it passes connections from outside to ports inside.
 *
 * Arguments: the path of the proxy's socket, the path of the socket for connections from outside, the address of the
 * service's hosts inside, the port of the proxy, and the port of the fake.
 */
const [proxyPath = '', inwardPath = '', service = '', proxyPort = '', fakePort = ''] = process.argv.slice(2)

function passToProxy(socket: Socket): void {
  joinConnections(socket, net.connect({ path: proxyPath, allowHalfOpen: true }))
}

/**
 * Uses a CONNECT of the proxy, so that a client can use the connection like a direct one. If the proxy rejects it, the connection
 * is destroyed.
 */
const tunnelTo = (target: string) => (socket: Socket) => {
  const tunnel = request({ socketPath: proxyPath, method: 'CONNECT', path: target, headers: { Host: target } })
  tunnel.once('connect', ({ statusCode }, upstream) => {
    if (statusCode === 200) joinConnections(socket, upstream)
    else socket.destroy()
  })
  tunnel.once('error', () => socket.destroy())
  socket.once('error', () => socket.destroy())
  tunnel.end()
}

/** The first line is `HOST PORT`; without it, the connection is destroyed. */
function passInside(socket: Socket): void {
  socket.once('error', () => socket.destroy())
  socket.once('readable', () => {
    const [, host = '', port = '', rest = ''] =
      /^(\S+) (\d+)\n([\s\S]*)$/.exec(String(socket.read()?.toString('latin1'))) ?? []
    if (port === '') return void socket.destroy()
    if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'))
    joinConnections(socket, net.connect({ host, port: Number(port), allowHalfOpen: true }))
  })
}

type GatewayListener = { at: { host: string; port: number } | { path: string }; pass: (socket: Socket) => void }
const toFake = tunnelTo(`127.0.0.1:${fakePort}`)
const LISTENERS: GatewayListener[] = [
  { at: { host: '127.0.0.1', port: Number(proxyPort) }, pass: passToProxy },
  { at: { host: '127.0.0.1', port: Number(fakePort) }, pass: toFake },
  { at: { host: '::1', port: Number(fakePort) }, pass: toFake },
  // TLS or the request itself names the actual host of the service.
  { at: { host: service, port: 443 }, pass: tunnelTo('www.googleapis.com:443') },
  { at: { host: service, port: 80 }, pass: passToProxy },
  { at: { path: inwardPath }, pass: passInside },
]

const openListener = ({ at, pass }: GatewayListener): Promise<AddressInfo | string | null> =>
  new Promise((resolve, reject) => {
    const server = net.createServer({ allowHalfOpen: true }, pass)
    const isIpv6 = 'host' in at && at.host.includes(':')
    server.once('error', (error) => (isIpv6 ? resolve(null) : reject(error)))
    server.listen(at, () => resolve(server.address()))
  })

process.stdin.resume().once('close', () => process.exit())
void Promise.all(LISTENERS.map(openListener)).then(() => process.stdout.write('open\n'))
