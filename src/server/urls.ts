import { DEFAULT_WORLD } from '../oauth/credentials.ts'

/** Returns the root URL of a world, with a slash at the end. */
export const rootOf = (base: string, name: string): string =>
  name === DEFAULT_WORLD ? `${base}/` : `${base}/w/${name}/`

/** Returns the inspector's URL of a world. The control token is in the fragment, which browsers do not send. */
export const uiOf = (rootUrl: string, controlToken: string | undefined): string =>
  `${rootUrl}_ui/${controlToken === undefined ? '' : `#${new URLSearchParams({ token: controlToken })}`}`

type UrlParts = Pick<URL, 'origin' | 'pathname' | 'search'>

/** Splits the URL of a Request. It slices the text, because a Request normalises its URL; only URLs with a user are parsed. */
export function splitUrl(url: string): UrlParts {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#')
  const end = hash < 0 ? url.length : hash
  const origin = url.slice(0, start)
  if (start < 0 || start > end || origin.includes('@')) return new URL(url)
  const question = url.indexOf('?')
  const mark = question < 0 || question > end ? end : question
  return { origin, pathname: url.slice(start, mark), search: url.slice(mark, end) }
}
