/**
 * The interface as Swagger UI shows it, where requests can be tried.
 *
 * A key is kept in the page's memory alone, and goes to the page's own origin alone (decision 0038).
 */

import { pageOf, paths, type AssetPath } from './page'

export function referencePage(asset: AssetPath): string {
  const page = {
    title: 'API reference',
    current: paths.reference,
    head: [
      `<link rel="stylesheet" href="${asset('swagger-ui.css')}">`,
      `<link rel="stylesheet" href="${asset('reference.css')}">`,
      `<script defer src="${asset('swagger-ui-bundle.js')}"></script>`,
      `<script defer src="${asset('reference.js')}"></script>`,
    ].join('\n'),
    main: `<main id="main" tabindex="-1">
<noscript><p class="notice">This page needs JavaScript. The <a href="${paths.guide}">guide</a> does
not, and <a href="${paths.openApi}">openapi.json</a> holds the whole interface.</p></noscript>
<div id="reference"></div>
</main>`,
  }
  return pageOf(page, asset)
}
