/**
 * The interface as Swagger UI shows it, where requests can be tried.
 *
 * A key is kept in the page's memory alone, and goes to the page's own origin alone (decision 0038).
 */

import { openApiPaths, otherLanguage, paths, words, type Language } from './language'
import { renderPage, type AssetPath } from './page'

export function referencePage(language: Language, asset: AssetPath): string {
  const { reference, guide } = paths[language]
  const openApi = openApiPaths[language]
  const page = {
    language,
    title: words[language].reference,
    current: reference,
    translation: paths[otherLanguage(language)].reference,
    head: [
      `<link rel="stylesheet" href="${asset('swagger-ui.css')}">`,
      `<link rel="stylesheet" href="${asset('reference.css')}">`,
      `<script defer src="${asset('swagger-ui-bundle.js')}"></script>`,
      `<script defer src="${asset('reference.js')}"></script>`,
    ].join('\n'),
    main: `<main id="main" tabindex="-1">
<noscript><p class="notice">${noScript[language]({ guide, openApi })}</p></noscript>
<div id="reference" data-document="${openApi}"></div>
</main>`,
  }
  return renderPage(page, asset)
}

type Places = { guide: string; openApi: string }

const noScript: Record<Language, (places: Places) => string> = {
  en: ({ guide, openApi }) =>
    `This page needs JavaScript. The <a href="${guide}">guide</a> does not, and <a href="${openApi}">${openApi.slice(1)}</a> holds the whole interface.`,
  fr: ({ guide, openApi }) =>
    `Cette page a besoin de JavaScript. Le <a href="${guide}">guide</a> s’en passe, et <a href="${openApi}">${openApi.slice(1)}</a> contient toute l’interface.`,
}
