import type { Endpoint } from './endpoint.ts'

/** The methods of the service as a discovery document has them: the table of endpoints, printed. */
export function discoveryMethods(endpoints: readonly Endpoint[]) {
  return Object.fromEntries(endpoints.map((endpoint) => [endpoint.id, discoveryMethod(endpoint)]))
}

function discoveryMethod({ verb, path, params, scopes, request, response, subscription, summary }: Endpoint) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const names = [...inPath, ...Object.keys(params).filter((name) => !inPath.includes(name))]
  const parameters = Object.fromEntries(
    names.map((name) => [name, { location: inPath.includes(name) ? 'path' : 'query', ...params[name] }]),
  )
  const required = names.filter((name) => params[name]?.required)
  return {
    httpMethod: verb,
    path: path.slice(1),
    description: summary,
    ...(names.length > 0 && { parameters }),
    ...(required.length > 0 && { parameterOrder: required }),
    ...(request && { request }),
    ...(response && { response }),
    scopes,
    ...(subscription && { supportsSubscription: true }),
  }
}
