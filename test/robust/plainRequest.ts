import { type Drafting, PEOPLE } from './drafts.ts'
import { OTHERS, TEXTS } from './edgeValues.ts'
import { mangleText } from './memory.ts'

/** A request as plain data, so that it can be repeated. */
export type PlainRequest = { method: string; path: string; headers: Record<string, string>; body?: string }

/** Replaces parts of a text that cannot be written in a URL and in UTF-8. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '?')
/** Returns a text unchanged and any other value as JSON, both well-formed. */
export const toText = (value: unknown): string =>
  wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
/** Returns a value as a text that is valid in a header. */
export const toHeader = (value: unknown) =>
  toText(value)
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()

/** Draws the headers of a request: mostly valid ones of a known account. */
export function drawHeaders({ chance, memory, invalidShare }: Drafting): Record<string, string> {
  const odd = () => chance.is(invalidShare * 0.3)
  const subject = chance.is(0.1)
    ? memory.recall(chance, 'access_token', 'refresh_token', 'id_token')
    : chance.is(0.6)
      ? PEOPLE[0]
      : chance.of(PEOPLE)
  const etag = memory.recall(chance, 'etag') ?? '"1"'
  return {
    Authorization: odd()
      ? toHeader(
          chance.of([
            'Basic x',
            'Bearer',
            'Digest y=1',
            'Bearer limited',
            'Bearer a.b.c',
            `Bearer ${mangleText(chance, String(subject))}`,
          ]),
        )
      : `Bearer ${toHeader(subject ?? PEOPLE[0])}`,
    'Content-Type': odd()
      ? toHeader(
          chance.of([
            'application/x-www-form-urlencoded',
            'multipart/mixed',
            'text/plain',
            'application/json; charset=x',
            ...TEXTS,
          ]),
        )
      : 'application/json',
    ...(chance.is(0.1) && { 'If-Match': toHeader(odd() ? mangleText(chance, String(etag)) : etag) }),
    ...(chance.is(0.05) && { 'If-None-Match': toHeader(etag) }),
    ...(odd() && {
      'X-HTTP-Method-Override': toHeader(chance.of(['GET', 'PATCH', 'put', 'DELETE', 'BREW', 'HEAD', ...TEXTS])),
    }),
    ...(odd() && { 'X-Fake-World': toHeader(chance.of(['default', '', 'no world', '../x', 'a'.repeat(65)])) }),
    ...(odd() && { Origin: chance.of(['http://page.example', 'null', 'http://fake-calendar.localhost']) }),
    ...(odd() && { Host: chance.of(['evil.example', 'localhost:1', '[::1]', '']) }),
  }
}

/** Returns a body as JSON, sometimes truncated or mangled. */
export function writeBody({ chance, invalidShare }: Drafting, body: unknown): string {
  const text = JSON.stringify(body)
  if (!chance.is(invalidShare * 0.15)) return text
  return wellFormed(
    chance.is(0.5) ? mangleText(chance, text.slice(0, 2000)) : (JSON.stringify(chance.of(OTHERS)) ?? ''),
  )
}
