import type { Ended } from '../stack/service-process'

/** Throws where it said more, less, or not these words. */
export function expectClearError(
  { code, stdout, stderr }: Ended,
  ...words: readonly (string | RegExp)[]
): void {
  expect({ code, stdout, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/./) })
  expect(stderr).not.toMatch(/^\s+at |node:internal|Error:|\[object/m)
  for (const word of words) {
    if (typeof word === 'string') expect(stderr).toContain(word)
    else expect(stderr).toMatch(word)
  }
}

export const readLines = ({ stderr }: Ended): string[] => stderr.trim().split('\n')
