import { onDashboard } from './visit'

const firstPageMax = 250 * 1024

onDashboard('size', ({ stack, visit }) => {
  test('all that the first page loads is below 250 kB, compressed, and can be kept', async () => {
    const { baseUrl } = stack()
    const loaded: string[] = []
    const page = await visit({
      before: async (opened) => {
        opened.on('request', (request) => loaded.push(request.url()))
      },
    })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const files = [...new Set(loaded)].filter((url) => !url.includes('/dashboard/api/'))
    expect(files.length).toBeGreaterThanOrEqual(4)
    let total = 0
    for (const url of files) {
      const answer = await fetch(url, { headers: { 'Accept-Encoding': 'br', Accept: 'text/html' } })
      total += Number(answer.headers.get('content-length'))
      const isPage = url === `${baseUrl}/dashboard`
      expect([url, answer.headers.get('cache-control')]).toEqual([
        url,
        expect.stringContaining(isPage ? 'no-cache' : 'immutable'),
      ])
      await answer.arrayBuffer()
    }
    process.stdout.write(`the first page loads ${(total / 1024).toFixed(1)} kB\n`)
    expect(total).toBeGreaterThan(50 * 1024)
    expect(total).toBeLessThanOrEqual(firstPageMax)
  })
})
