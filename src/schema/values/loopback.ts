const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Returns true for a host name or address of this machine. An IPv6 address may be in brackets, an IPv4 address mapped to IPv6. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)
