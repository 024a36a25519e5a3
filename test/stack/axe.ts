import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds, each with where. */
export const allProblems = (page: Page): Promise<string[]> => runAxe(page, '.')

export const seriousProblems = (page: Page): Promise<string[]> => runAxe(page, 'serious|critical')

async function runAxe(page: Page, impacts: string): Promise<string[]> {
  // By the debugger, which no policy binds.
  const debug = await page.context().newCDPSession(page)
  const isThere = await debug.send('Runtime.evaluate', { expression: '"axe" in globalThis' })
  if (isThere.result.value !== true) await debug.send('Runtime.evaluate', { expression: axeSource })
  const { result } = await debug.send('Runtime.evaluate', {
    expression: `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      JSON.stringify(violations.filter(({ impact }) => /${impacts}/.test(impact)).map((violation) =>
        violation.id + ': ' + violation.nodes.map(({ target, any }) =>
          target.join(' ') + ' ' + any.map(({ message }) => message).join(' ')).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await debug.detach()
  return JSON.parse(String(result.value)) as string[]
}
