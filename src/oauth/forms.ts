import { inSeconds, type OAuthCall } from './request.ts'

/** How long a page may be answered, in seconds, and how many may be open. */
const LIFETIME = 600
const MOST = 1000

/** Opens a page's form: its token is good for one answer to what was asked, so that no other page can send one. */
export function issueCsrfToken({ world }: OAuthCall, about: string): string {
  const { forms } = world.oauth
  const now = new Date(world.clock.now()).toISOString()
  for (const [token, { expires }] of forms.entries()) if (expires <= now) forms.delete(token)
  if (forms.size >= MOST) forms.clear()
  const token = world.ids.token(32)
  forms.set(token, { about, expires: inSeconds(world, LIFETIME) })
  return token
}

/** Takes the form that an answer comes with: false, where there is none for what was asked. */
export function consumeCsrfToken(call: OAuthCall, about: string): boolean {
  const { forms } = call.world.oauth
  const token = call.given('form') ?? ''
  const form = forms.get(token)
  forms.delete(token)
  return form !== undefined && form.about === about && Date.parse(form.expires) > call.world.clock.now()
}
