export const page = { width: 595.28, height: 841.89 } as const
export const margin = { left: 42, right: 42, top: 42, bottom: 70 } as const

export const contentWidth = page.width - margin.left - margin.right
export const contentRight = page.width - margin.right
export const contentBottom = page.height - margin.bottom

export const ink = {
  text: '#1b2430',
  muted: '#5a6673',
  accent: '#0f4c5c',
  onAccent: '#ffffff',
  panel: '#f3f6f8',
  rule: '#d3dbe1',
  specimen: '#f3cfd3',
  specimenOutline: '#d9808c',
  draftMark: '#b07d1a',
  rejectedMark: '#c2263a',
} as const

export const type = {
  label: { size: 6.8, weight: 'bold', color: ink.muted },
  body: { size: 8.8, color: ink.text },
  strong: { size: 8.8, weight: 'bold', color: ink.text },
  small: { size: 7.4, color: ink.muted },
} as const
