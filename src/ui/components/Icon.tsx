/** Strokes in a square of 24 units. */
const ICONS = {
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  away: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12h8',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  check: 'M5 12l5 5 9-10',
  close: 'M6 6l12 12M18 6 6 18',
  columns: 'M4 5h16v14H4zM12 5v14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  focus: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  gift: 'M4 11h16v10H4zM3 7h18v4H3zM12 7v14M12 7C8 7 7 3 9 3s3 2 3 4c0-2 1-4 3-4s1 4-3 4z',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c4 4 4 14 0 18M12 3c-4 4-4 14 0 18',
  left: 'M15 5l-7 7 7 7',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  paperclip:
    'M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700L9.500 17a1.700 1.700 0 0 1-2.400-2.400L14 7.500',
  pin: 'M12 21c5-6 7-9 7-12a7 7 0 1 0-14 0c0 3 2 6 7 12zM12 6.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
  plus: 'M12 5v14M5 12h14',
  repeat: 'M4 11V9a3 3 0 0 1 3-3h12M16 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H5M8 21l-3-3 3-3',
  right: 'M9 5l7 7-7 7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  sliders: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  users:
    'M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM2 20c0-4 3-6 7-6s7 2 7 6M16 5.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2.500.8 4 2.700 4 5.500',
  video: 'M3 7h12v10H3zM15 11l6-4v10l-6-4',
  warning: 'M12 4 2.500 20h19zM12 10v5M12 17.500v.5',
  zap: 'M13 3 5 14h6l-1 7 8-11h-6z',
} as const
export type IconName = keyof typeof ICONS

export const IconSprite = () => (
  <svg width="0" height="0" aria-hidden="true" class="hidden">
    {Object.entries(ICONS).map(([name, path]) => (
      <symbol key={name} id={`icon-${name}`} viewBox="0 0 24 24">
        <path d={path} />
      </symbol>
    ))}
  </svg>
)

/** Screen readers skip it, so there must be a text or a label beside it. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg class="icon" width={size} height={size} aria-hidden="true">
    <use href={`#icon-${name}`} />
  </svg>
)
