import { spawnSync } from 'node:child_process'
import { chromium, type Browser } from 'playwright-core'

const executablePath = spawnSync('sh', ['-c', 'command -v chromium']).stdout.toString().trim()

export const hasChromium = executablePath !== ''

export function launchChromium(): Promise<Browser> {
  // Root has no sandbox, and containers have little shared memory.
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  return chromium.launch({ executablePath, args, timeout: 60_000 })
}
