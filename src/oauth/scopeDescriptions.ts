import { SCOPES } from '../schema/scopes.ts'

const AUTH = 'https://www.googleapis.com/auth/'

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SCOPES).map(([scope, { description }]): [string, string] => [scope, description]),
  ['openid', 'Know which account you are'],
  [`${AUTH}userinfo.email`, 'See your email address'],
  [`${AUTH}userinfo.profile`, 'See your name'],
])

/** A scope of another service is its own description. */
export const describeScope = (scope: string): string => DESCRIPTIONS.get(scope) ?? scope
