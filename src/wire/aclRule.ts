import { z } from 'zod'
import { kind, named, neededBy, part, type Solid, text } from './json.ts'
import type { Role, ScopeType } from './roles.ts'

/** Who may do what on a calendar. */
export const aclRuleBody = z.object({
  role: neededBy(text(), 'acl.insert'),
  scope: neededBy(
    part({ type: neededBy(text(), 'acl.insert', 'acl.update'), value: text() }),
    'acl.insert',
    'acl.update',
  ),
})
export const aclRule = named(
  'AclRule',
  aclRuleBody.extend({ kind: kind('calendar#aclRule'), etag: text(), id: text() }),
)

export type AclRuleBody = z.output<typeof aclRuleBody>
export type AclRule = Required<Solid<z.output<typeof aclRule>>> & {
  kind: 'calendar#aclRule'
  scope: { type: ScopeType; value?: string }
  role: Role
}
