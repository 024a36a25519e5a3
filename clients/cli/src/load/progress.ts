const cells = 20

/** `█████░░░░░  16 % 50/300 created` */
export function progressLine(done: number, total: number, text: string): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.floor(share * cells)
  const bar = '█'.repeat(full) + '░'.repeat(cells - full)
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} % ${text}`
}
