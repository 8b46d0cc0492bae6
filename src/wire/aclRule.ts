import { z } from 'zod'
import { part, text } from './json.ts'
import type { Role, ScopeType } from './roles.ts'

/** Who may do what on a calendar. */
export const aclRuleBody = z.object({ role: text(), scope: part({ type: text(), value: text() }) })
export const aclRule = aclRuleBody.extend({ kind: text(), etag: text(), id: text() })

export type AclRuleBody = z.output<typeof aclRuleBody>
export type AclRule = {
  kind: 'calendar#aclRule'
  etag: string
  id: string
  scope: { type: ScopeType; value?: string }
  role: Role
}
