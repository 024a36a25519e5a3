// In this order: Edge and Opera also name Chrome, and Chrome names Safari.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg/, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrom|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** `Firefox, Windows`; the User-Agent itself for unknown browsers. */
export function describeDevice(userAgent: string): string {
  const find = (known: typeof browsers) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(browsers)
  if (browser === undefined) return userAgent
  return [browser, find(systems)].filter((part) => part !== undefined).join(', ')
}
