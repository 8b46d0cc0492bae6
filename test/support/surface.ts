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

/** Returns a recorded schema with the properties that the service has added since. */
export const withNewer = <S extends object>(name: string, schema: S): S => {
  const { properties } = schema as { properties?: object }
  return SINCE[name] ? { ...schema, properties: { ...properties, ...SINCE[name] } } : schema
}
