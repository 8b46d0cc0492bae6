import { SCOPES } from '../wire/scopes.ts'

const AUTH = 'https://www.googleapis.com/auth/'

/** What a scope lets a client do, as a person is told. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SCOPES).map(([scope, { description }]): [string, string] => [scope, description]),
  ['openid', 'Know which account you are'],
  [`${AUTH}userinfo.email`, 'See your email address'],
  [`${AUTH}userinfo.profile`, 'See your name'],
])

/** A scope of another service is shown as it is. */
export const sentenceOf = (scope: string): string => SENTENCES.get(scope) ?? scope
