import { onDashboard } from './visit'

const firstPageMax = 250 * 1024

onDashboard('size', ({ stack, visit }) => {
  test('all that the first page loads is below 250 kB, compressed, and cacheable', async () => {
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

  // The slowest that Chromium's own tools offer: 400 kbit/s, and two seconds for every answer.
  test('on the slowest network there is something to look at within three seconds', async () => {
    const page = await visit({
      before: async (opened) => {
        const debug = await opened.context().newCDPSession(opened)
        await debug.send('Network.enable')
        await debug.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 2_000,
          downloadThroughput: 50_000,
          uploadThroughput: 50_000,
        })
      },
    })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const paints = `performance.getEntriesByName('first-contentful-paint')[0].startTime`
    const firstPaintMs = Number(await page.evaluate(paints))
    process.stdout.write(`on the slowest network the first paint is after ${firstPaintMs} ms\n`)
    // A second round trip cannot come before 4 s.
    expect(firstPaintMs).toBeLessThan(4_000)
  })
})
