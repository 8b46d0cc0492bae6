import type net from 'node:net'

export type ConnectTarget = {
  host: string
  port: number
  alpn: readonly string[]
  path?: string | undefined
  transport?: net.Socket
  onConnect?: () => void
}

/**
 * Accepts all forms of `connect` of node:net, or if `secure` of node:tls: options, port and host, or a path, each with an
 * optional listener. Missing parts get the defaults of Node.
 */
export function parseConnectArgs(given: readonly unknown[], secure: boolean): ConnectTarget {
  // Node passes arguments that it has normalized as one array.
  const args = Array.isArray(given[0]) ? (given[0] as unknown[]) : given
  const options = Object.assign({}, ...args.filter((one) => typeof one === 'object' && one !== null)) as {
    host?: string
    servername?: string
    port?: number | string
    path?: string | null
    ALPNProtocols?: unknown
    socket?: net.Socket
  }
  const [first, second] = args
  const isPort = typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))
  const path = (typeof first === 'string' && !isPort ? first : options.path) ?? undefined
  const host = (isPort && typeof second === 'string' ? second : undefined) ?? options.host
  const onConnect = args.findLast((one) => typeof one === 'function') as (() => void) | undefined
  const { ALPNProtocols: alpn } = options
  return {
    host: (secure && options.servername) || host || 'localhost',
    port: Number(isPort ? first : options.port) || (secure ? 443 : 80),
    alpn: Array.isArray(alpn) ? alpn.map(String) : [],
    ...(path !== undefined && { path }),
    ...(secure && options.socket && { transport: options.socket }),
    ...(onConnect && { onConnect }),
  }
}
