import type { LoadAttempts } from '../control/types/attempts.ts'

/** Loads the module on first use, because few programs evaluate agents. */
export const loadAttempts: LoadAttempts = async (host) => new (await import('./attempts.ts')).TaskAttempts(host)
