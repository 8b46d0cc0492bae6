/**
 * Zones in the order in which they are tried for a VTIMEZONE with an unknown name. Of zones with equal rules, the list
 * contains the one with the most users. Sources: populations by country, and the tzdata zones of each.
 */
export const COMMON_ZONES: readonly string[] = [
  ...['America/New_York', 'America/Chicago', 'America/Los_Angeles', 'America/Denver', 'Europe/Berlin', 'Europe/London'],
  ...['Asia/Shanghai', 'Asia/Kolkata', 'Asia/Tokyo', 'Asia/Jakarta', 'Asia/Dhaka', 'Asia/Karachi', 'Asia/Dubai'],
  ...['Europe/Moscow', 'Europe/Kyiv', 'Africa/Lagos', 'Africa/Johannesburg', 'Africa/Cairo', 'UTC'],
  ...['America/Sao_Paulo', 'America/Bogota', 'America/Mexico_City', 'America/Phoenix', 'America/Caracas'],
  ...['America/Halifax', 'America/Santiago', 'America/St_Johns', 'America/Anchorage', 'Pacific/Honolulu'],
  ...['Australia/Sydney', 'Australia/Brisbane', 'Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth'],
  ...['Pacific/Auckland', 'Asia/Tehran', 'Asia/Kabul', 'Asia/Kathmandu', 'Asia/Yangon', 'Asia/Jerusalem'],
]
