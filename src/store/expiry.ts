/** How long a sync token is good for: the service forgets after about a month (behaviour 5.14). */
export const TOKEN_LIFE = 30 * 86_400_000

export type Expiring = { expires?: string | undefined; revoked?: boolean | undefined }

/** Whether something that may expire or be revoked is still good at a moment of the world's clock. */
export const stands = ({ expires, revoked }: Expiring, now: number): boolean =>
  !revoked && (expires === undefined || Date.parse(expires) > now)
