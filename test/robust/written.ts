import { type Drafting, PEOPLE } from './drafts.ts'
import { mangled } from './memory.ts'
import { OTHERS, TEXTS } from './nasty.ts'

/** A request as plain data, so that it can be repeated. */
export type PlainRequest = { method: string; path: string; headers: Record<string, string>; body?: string }

/** Replaces parts of a text that cannot be written in a URL and in UTF-8. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '?')
export const textOf = (value: unknown): string =>
  wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
export const asHeader = (value: unknown) =>
  textOf(value)
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()

export function headersOf({ chance, memory, nastiness }: Drafting): Record<string, string> {
  const odd = () => chance.is(nastiness * 0.3)
  const subject = chance.is(0.1)
    ? memory.recall(chance, 'access_token', 'refresh_token', 'id_token')
    : chance.is(0.6)
      ? PEOPLE[0]
      : chance.of(PEOPLE)
  const etag = memory.recall(chance, 'etag') ?? '"1"'
  return {
    Authorization: odd()
      ? asHeader(
          chance.of([
            'Basic x',
            'Bearer',
            'Digest y=1',
            'Bearer limited',
            'Bearer a.b.c',
            `Bearer ${mangled(chance, String(subject))}`,
          ]),
        )
      : `Bearer ${asHeader(subject ?? PEOPLE[0])}`,
    'Content-Type': odd()
      ? asHeader(
          chance.of([
            'application/x-www-form-urlencoded',
            'multipart/mixed',
            'text/plain',
            'application/json; charset=x',
            ...TEXTS,
          ]),
        )
      : 'application/json',
    ...(chance.is(0.1) && { 'If-Match': asHeader(odd() ? mangled(chance, String(etag)) : etag) }),
    ...(chance.is(0.05) && { 'If-None-Match': asHeader(etag) }),
    ...(odd() && {
      'X-HTTP-Method-Override': asHeader(chance.of(['GET', 'PATCH', 'put', 'DELETE', 'BREW', 'HEAD', ...TEXTS])),
    }),
    ...(odd() && { 'X-Fake-World': asHeader(chance.of(['default', '', 'no world', '../x', 'a'.repeat(65)])) }),
    ...(odd() && { Origin: chance.of(['http://page.example', 'null', 'http://fake-calendar.localhost']) }),
    ...(odd() && { Host: chance.of(['evil.example', 'localhost:1', '[::1]', '']) }),
  }
}

/** Returns a body as text, sometimes truncated or mangled. */
export function written({ chance, nastiness }: Drafting, body: unknown): string {
  const text = JSON.stringify(body)
  if (!chance.is(nastiness * 0.15)) return text
  return wellFormed(chance.is(0.5) ? mangled(chance, text.slice(0, 2000)) : (JSON.stringify(chance.of(OTHERS)) ?? ''))
}
