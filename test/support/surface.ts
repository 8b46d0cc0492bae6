/** Additions of the service since the surface was recorded, as in revision 20261103 of its document. */
export const SINCE: Record<string, Record<string, object>> = {
  Calendar: {
    workingHours: {
      type: 'object',
      properties: {
        availableTimes: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              dayOfWeek: { type: 'string' },
              periodEnd: { type: 'integer', format: 'int32' },
              periodStart: { type: 'integer', format: 'int32' },
            },
          },
        },
        workingHoursEnabled: { type: 'boolean' },
      },
    },
  },
}

const SETTINGS_SCOPE = 'https://www.googleapis.com/auth/calendar.settings'
const WITH_SETTINGS_SCOPE = ['channels.stop', 'settings.get', 'settings.list', 'settings.watch']

/** Returns the scopes of a method, with the one that four methods accept since October 2026. */
export const withNewerScopes = (id: string, scopes: readonly string[]): string[] =>
  [...scopes, ...(WITH_SETTINGS_SCOPE.includes(id.replace(/^calendar\./, '')) ? [SETTINGS_SCOPE] : [])].sort()

/** Returns all scopes of the document. */
export const allScopes = (scopes: readonly string[]): string[] => [...scopes, SETTINGS_SCOPE].sort()

/** Returns a recorded schema with the properties that the service has added since. */
export const withNewer = <S extends object>(name: string, schema: S): S => {
  const { properties } = schema as { properties?: object }
  return SINCE[name] ? { ...schema, properties: { ...properties, ...SINCE[name] } } : schema
}
