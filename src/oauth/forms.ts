import type { OAuthCall } from './request.ts'

const MAX_OPEN_FORMS = 1000

/**
 * A random text by which the server recognizes its own form. It is valid for one submission of a form about `subject`, which is
 * any text. It does not expire by the world's clock, because that may advance by days while a person reads the form.
 */
export function issueCsrfToken({ world }: OAuthCall, subject: string): string {
  const { forms } = world.oauth
  if (forms.size >= MAX_OPEN_FORMS) forms.clear()
  const token = world.ids.token(32)
  forms.set(token, { about: subject })
  return token
}

/** False if the parameter `form` is missing, was submitted before, or was issued for another subject. */
export function consumeCsrfToken(call: OAuthCall, subject: string): boolean {
  const { forms } = call.world.oauth
  const token = call.given('form') ?? ''
  const form = forms.get(token)
  forms.delete(token)
  return form?.about === subject
}
