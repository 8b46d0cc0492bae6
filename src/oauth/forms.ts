import { formatExpiry, type OAuthCall } from './request.ts'

/** The lifetime of a CSRF token in seconds. */
const FORM_LIFETIME_S = 600
/** A form above this number makes all earlier forms invalid. */
const MAX_OPEN_FORMS = 1000

/**
 * Stores and returns a CSRF token: a random text in a form, by which the server recognizes its own form. It is valid for
 * one submission, within ten minutes of the world's clock, of a form about `subject`, which is any text. Deletes expired
 * tokens.
 */
export function issueCsrfToken({ world }: OAuthCall, subject: string): string {
  const { forms } = world.oauth
  const now = new Date(world.clock.now()).toISOString()
  for (const [token, { expires }] of forms.entries()) if (expires <= now) forms.delete(token)
  if (forms.size >= MAX_OPEN_FORMS) forms.clear()
  const token = world.ids.token(32)
  forms.set(token, { about: subject, expires: formatExpiry(world, FORM_LIFETIME_S) })
  return token
}

/**
 * Deletes the CSRF token in the parameter `form`, and returns true if it was valid. Returns false if it is missing,
 * expired, or was issued for another subject.
 */
export function consumeCsrfToken(call: OAuthCall, subject: string): boolean {
  const { forms } = call.world.oauth
  const token = call.given('form') ?? ''
  const form = forms.get(token)
  forms.delete(token)
  return form !== undefined && form.about === subject && Date.parse(form.expires) > call.world.clock.now()
}
