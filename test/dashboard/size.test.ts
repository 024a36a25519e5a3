import { eventually } from '@einvoicing/servers/eventually'
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

  // The slowest network of Chromium's own tools: 400 kbit/s, and two seconds for every answer.
  test('on the slowest network there is something to look at within three seconds', async () => {
    let painted: () => void = () => undefined
    const isPainted = new Promise<void>((resolve) => (painted = resolve))
    const sizes: number[] = []
    const page = await visit({
      before: async (opened) => {
        await opened.exposeFunction('reportPaint', painted)
        await opened.addInitScript(reportFirstPaint)
        opened.on('response', async (answer) => {
          if (!answer.request().isNavigationRequest()) return
          sizes.push((await answer.request().sizes()).responseBodySize)
        })
        // A second round trip would come after four seconds: here, after the first paint.
        await opened.route('**/*', async (route) => {
          if (!route.request().isNavigationRequest()) await isPainted
          await route.continue()
        })
      },
    })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await eventually(() => expect(sizes).toHaveLength(1))
    const [documentBytes = 0] = sizes
    process.stdout.write(`the first paint needs ${documentBytes} bytes and one round trip\n`)
    expect(documentBytes).toBeGreaterThan(0)
    // A second, by that network.
    expect(documentBytes).toBeLessThan(50_000)
  })
})

// Runs in the page.
function reportFirstPaint(): void {
  const inPage = globalThis as unknown as { reportPaint: () => void; PerformanceObserver: any }
  new inPage.PerformanceObserver((list: any) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) inPage.reportPaint()
  }).observe({ type: 'paint', buffered: true })
}
