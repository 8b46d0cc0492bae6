import { control } from './client.ts'
import { changed } from './live.ts'
import { tell } from './parts/toasts.tsx'

/** Does something by `/_control`, tells what was done and by which call, and has the page read again. */
export async function steer<T = unknown>(
  verb: string,
  path: string,
  done: string | ((answer: T) => string),
  body?: unknown,
): Promise<T> {
  const { data, made } = await control<T>(verb, path, { body })
  tell({ text: typeof done === 'string' ? done : done(data), made })
  changed()
  return data
}
