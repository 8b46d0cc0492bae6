import { request } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'

/**
 * The only way out of an isolated network, run within it: what comes in at its ports goes by a socket in the file system to
 * the proxy outside. Arguments: that socket, where the service's hosts are in here, and the ports of the proxy and the fake.
 */
const [socketPath = '', service = '', proxyPort = '', fakePort = ''] = process.argv.slice(2)

/** As it comes, to the proxy. */
function pass(socket: Socket): void {
  join(socket, net.connect(socketPath))
}

/** By the proxy, to a host that the client takes itself to be connected to. */
const passTo = (target: string) => (socket: Socket) => {
  const asked = request({ socketPath, method: 'CONNECT', path: target, headers: { Host: target } })
  asked.once('connect', ({ statusCode }, onward) => (statusCode === 200 ? join(socket, onward) : socket.destroy()))
  asked.once('error', () => socket.destroy())
  socket.once('error', () => socket.destroy())
  asked.end()
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => from.destroy())
    from.once('close', () => to.destroy())
    from.pipe(to)
  }
}

type Port = { host: string; port: string; take: (socket: Socket) => void }
const fake = passTo(`127.0.0.1:${fakePort}`)
const PORTS: Port[] = [
  { host: '127.0.0.1', port: proxyPort, take: pass },
  { host: '127.0.0.1', port: fakePort, take: fake },
  { host: '::1', port: fakePort, take: fake },
  // Which of the service's hosts it is for is said by TLS, or else in the request.
  { host: service, port: '443', take: passTo('www.googleapis.com:443') },
  { host: service, port: '80', take: pass },
]

const opened = ({ host, port, take }: Port): Promise<AddressInfo | undefined> =>
  new Promise((resolve, reject) => {
    const server = net.createServer({ allowHalfOpen: true }, take)
    server.once('error', (error) => (host.includes(':') ? resolve(undefined) : reject(error)))
    server.listen(Number(port), host, () => resolve(server.address() as AddressInfo))
  })

// Whoever started it holds the other end of its input: when they go, so does this.
process.stdin.resume().once('close', () => process.exit())
void Promise.all(PORTS.map(opened)).then(() => process.stdout.write('open\n'))
