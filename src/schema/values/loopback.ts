const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/**
 * `localhost` and names that end with `.localhost`, 127.0.0.0/8, also mapped to IPv6 (`::ffff:127.0.0.1`), and `::1`, with or
 * without brackets; without a port.
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

const PRIVATE_IPV4 = /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$/
const PRIVATE_IPV6 = /^\[(?:f[cd][\da-f]{2}|fe[89ab][\da-f]):/

/**
 * Names without a dot, as containers have, `host.docker.internal`, and private addresses (RFC 1918, RFC 4193 and link-local).
 * `hostname` is that of a URL.
 */
export const isLocalNetwork = (hostname: string): boolean =>
  /^[^.:]+$/.test(hostname) ||
  hostname === 'host.docker.internal' ||
  PRIVATE_IPV4.test(hostname) ||
  PRIVATE_IPV6.test(hostname)
