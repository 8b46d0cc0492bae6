export type Expiring = { expires?: string | undefined; revoked?: boolean | undefined }

/** Whether what expires or may be taken back is still good at a moment of the world's clock. */
export const stands = ({ expires, revoked }: Expiring, now: number): boolean =>
  !revoked && (expires === undefined || Date.parse(expires) > now)
