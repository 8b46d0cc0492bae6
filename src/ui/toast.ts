import type { Signal } from '@preact/signals'
import type { SentRequest } from './api/client.ts'
import type { RequestError } from './api/errors.ts'

export type Toast = {
  id: number
  text: string
  sent?: SentRequest | undefined
  error?: RequestError | undefined
  action?: { title: string; run(): unknown } | undefined
}

type Holder = { toasts: Signal<readonly Toast[]> }

const MAX_TOASTS = 3
/** A toast with an error stays. */
export const TOAST_DURATION_MS = 5000

/** Returns its id. It takes the place of the earlier one; errors stay, at most two. */
export function showToast({ toasts }: Holder, toast: Omit<Toast, 'id'>): number {
  const id = (toasts.peek().at(-1)?.id ?? 0) + 1
  toasts.value = [...toasts.peek().filter(({ error }) => error), { id, ...toast }].slice(-MAX_TOASTS)
  return id
}

export function dismissToast({ toasts }: Holder, id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}
