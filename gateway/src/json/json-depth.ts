// `JSON.parse` survives a million nested brackets but blocks the process for a second.

// An invoice needs 3; a wrong body may nest deeper and still get field errors.
const depthMax = 32
// Below this length any depth is fast.
const lengthWithoutRisk = 16 * 1024

export function nestsTooDeeply(text: string): boolean {
  if (text.length < lengthWithoutRisk) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > depthMax) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
    }
  }
  return false
}

export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at += 1
    else if (code === 0x22) return at
  }
  return text.length
}
