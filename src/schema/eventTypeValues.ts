export const EVENT_TYPE_VALUES = [
  'default',
  'focusTime',
  'outOfOffice',
  'workingLocation',
  'birthday',
  'fromGmail',
] as const
export type EventType = (typeof EVENT_TYPE_VALUES)[number]
