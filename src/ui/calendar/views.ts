/** The views of the grid, by what the address calls them. What has hours scrolls within itself, and begins in the morning. */
export const VIEWS = {
  month: { title: 'Month', type: 'dayGridMonth', key: 'm', height: 'auto' },
  week: { title: 'Week', type: 'timeGridWeek', key: 'w', height: '75vh' },
  day: { title: 'Day', type: 'timeGridDay', key: 'd', height: '75vh' },
  list: { title: 'List', type: 'listMonth', key: 'l', height: 'auto' },
  year: { title: 'Year', type: 'multiMonthYear', key: 'y', height: 'auto' },
} as const
export type View = keyof typeof VIEWS

const isView = (name: string): name is View => Object.hasOwn(VIEWS, name)

export const viewOf = (name: string): View => (isView(name) ? name : 'month')
