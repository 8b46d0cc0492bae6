import { requireRole } from '../../model/access.ts'
import type { RequestContext } from '../requestContext.ts'

/** Throws 403 if the role of the caller is lower than the endpoint needs. */
export function checkRole({ endpoint, calendar }: RequestContext): void {
  if (endpoint?.role && calendar) requireRole(calendar.role, endpoint.role)
}
