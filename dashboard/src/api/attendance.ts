/** Polls of an unattended page must not count as use of the session. */

const attendedMs = 60_000

let lastInputAt = Date.now()

for (const kind of ['pointerdown', 'keydown', 'wheel'] as const) {
  const note = () => (lastInputAt = Date.now())
  window.addEventListener(kind, note, { capture: true, passive: true })
}

export function isAttended(): boolean {
  return Date.now() - lastInputAt < attendedMs
}
