const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/**
 * `localhost` and names that end with `.localhost`, 127.0.0.0/8, also mapped to IPv6 (`::ffff:127.0.0.1`), and `::1`, with or
 * without brackets; without a port.
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)
