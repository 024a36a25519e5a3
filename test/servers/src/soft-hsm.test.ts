import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describeWith } from './describe-with'
import { makeSoftHsmToken } from './soft-hsm'

describeWith('softhsm', 'a token of SoftHSM', () => {
  test('can be removed and inserted again', async () => {
    const token = await makeSoftHsmToken({ tokenLabel: 'invoices', pin: '1234' })
    const slots = async () => {
      const env = { ...process.env, ...token.env }
      return (await promisify(execFile)('softhsm2-util', ['--show-slots'], { env })).stdout
    }
    expect(await slots()).toMatch(/Label: +invoices/)
    await token.remove()
    expect(await slots()).not.toMatch(/Label: +invoices/)
    await token.restore()
    expect(await slots()).toMatch(/Label: +invoices/)
    expect(await readFile(token.pinFile, 'utf8')).toBe('1234\n')
    await token.dispose()
  })
})
