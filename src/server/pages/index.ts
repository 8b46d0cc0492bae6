import { type ApiResponse, jsonResponse } from '../../http/reply.ts'
import type { RequestContext } from '../requestContext.ts'

const DOCUMENTATION = 'https://developers.google.com/workspace/calendar/api/v3/reference'

/** A redirect to the inspector for browsers, links as JSON for programs. */
export function answerIndex({ request, rootUrl, now }: RequestContext): ApiResponse | Response {
  if (/\btext\/html\b/i.test(request.headers.get('Accept') ?? ''))
    return new Response(null, { status: 302, headers: { Location: `${rootUrl}_ui/` } })
  const links = {
    service: `${rootUrl}calendar/v3/`,
    methods: `${rootUrl}discovery/v1/apis/calendar/v3/rest`,
    batch: `${rootUrl}batch/calendar/v3`,
    oauth: `${rootUrl}.well-known/openid-configuration`,
    control: `${rootUrl}_control`,
    health: `${rootUrl}_control/health`,
    inspector: `${rootUrl}_ui/`,
    documentation: DOCUMENTATION,
  }
  const about = 'An in-memory stand-in for the Google Calendar API v3. No data here is real.'
  return jsonResponse({ name: 'fake-calendar', about, links }, { now, cache: 'none', indent: 1 })
}
