export type Expiring = { expires?: string | undefined; revoked?: boolean | undefined }

/** Whether something that may expire or be revoked is still good at a moment of the world's clock. */
export const stands = ({ expires, revoked }: Expiring, now: number): boolean =>
  !revoked && (expires === undefined || Date.parse(expires) > now)
