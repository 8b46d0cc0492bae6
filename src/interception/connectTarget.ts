import type net from 'node:net'

/** The target of a call of `connect` in node:net or node:tls. */
export type ConnectTarget = {
  /** The host, for TLS the server name; `localhost` without one. */
  host: string
  /** The port; without one, 443 for TLS and else 80. */
  port: number
  /** The protocols that a TLS client offers, such as `h2` and `http/1.1`; empty without any. */
  alpn: readonly string[]
  /** The path of a local socket; such a connection has no host. */
  path?: string | undefined
  /** An established connection, as through a proxy, over which TLS would run. */
  transport?: net.Socket
  /** The listener for the established connection. */
  onConnect?: () => void
}

/**
 * Parses the arguments of `connect` of node:net, or if `secure` of node:tls, in any of their forms: options, port and host,
 * or a path, each with an optional listener. Does not throw: missing parts get the defaults of Node.
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
  // Agents pass null.
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
