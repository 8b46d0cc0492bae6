import { z } from 'zod'
import { kind, namedSchema, neededBy, part, text, type WithoutNulls } from './jsonSchema.ts'
import type { Role, ScopeType } from './roles.ts'

export const aclRuleBody = z.object({
  role: neededBy(text, 'acl.insert'),
  scope: neededBy(part({ type: neededBy(text, 'acl.insert', 'acl.update'), value: text }), 'acl.insert', 'acl.update'),
})
export const aclRule = namedSchema(
  'AclRule',
  aclRuleBody.extend({ kind: kind('calendar#aclRule'), etag: text, id: text }),
)

export type AclRuleBody = z.output<typeof aclRuleBody>
export type AclRule = Required<WithoutNulls<z.output<typeof aclRule>>> & {
  kind: 'calendar#aclRule'
  scope: { type: ScopeType; value?: string }
  role: Role
}
