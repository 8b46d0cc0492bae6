/**
 * Zones in the order in which a VTIMEZONE without a known name is taken for one of them. Of zones with equal rules, the one
 * with the most users stands here. Sources: populations by country, and the tzdata zones of each.
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
