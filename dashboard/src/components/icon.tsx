const paths = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c1-4 4-6 7.5-6s6.5 2 7.5 6',
  alert: 'M12 3.5 2.5 20.5h19zM12 10v5M12 17.6v.4',
  audit: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  ban: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M6 6l12 12',
  check: 'M4.5 12.5l5 5 10-11',
  chevronLeft: 'M15 5l-7 7 7 7',
  chevronRight: 'M9 5l7 7-7 7',
  chevronDown: 'M5 9l7 7 7-7',
  chevronUp: 'M5 16l7-7 7 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5.2l3.5 2',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  cross: 'M6 6l12 12M18 6L6 18',
  document: 'M6 3h8l5 5v13H6zM14 3v5h5M9.5 13h6M9.5 17h6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  edit: 'M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5.5M12 7.5v.4',
  key: 'M8 19a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M11 11.5L20 3M16 6.5l3 3M13.5 9l2 2',
  mail: 'M3 6h18v13H3zM3 7l9 7 9-7',
  more: 'M5 11v2M4 12h2M12 11v2M11 12h2M19 11v2M18 12h2',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5',
  members:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.6-3.7 3-5.5 6.5-5.5s5.9 1.8 6.5 5.5M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.9c2 .8 3.2 2.5 3.5 5.1',
  organization: 'M4 21V4h10v17M14 9h6v12M2.5 21h19M8 8h2M8 12h2M8 16h2M17 13h.01M17 17h.01',
  overview: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  pencil: 'M4 20h4L19.5 8.5l-4-4L4 16z',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.8M20 3.5V8h-4.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l4.5 4.5',
  send: 'M21 3L10 14M21 3l-7 18-4-7-7-4z',
  signOut: 'M10 4H4v16h6M9 12h11M16 8l4 4-4 4',
  start: 'M12 3l2.6 5.8 6.4.7-4.8 4.3 1.4 6.2L12 16.8 6.4 20l1.4-6.2L3 9.5l6.4-.7z',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M19 5l-1.7 1.7M6.7 17.3L5 19',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5',
} as const

export type IconName = keyof typeof paths

export interface IconProps {
  name: IconName
  /** In pixels; by default the size of the text. */
  size?: number | string
}

/** Decoration: the meaning must be in text or in an `aria-label` beside it. */
export function Icon({ name, size = '1.15em' }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
