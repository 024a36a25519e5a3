import type { Environment } from '@einvoicing/domain/environment'
import { sendBytes } from '../http/envelope'
import type { Handle, RouteTable } from '../http/route-table'
import { openApiDocument, type OpenApiDocument } from './document'
import { toFrenchDocument } from './french/translate'

/** Made at the first request: most processes get none. */
export function openApiRoutes({ environment }: { environment: Environment }): RouteTable {
  const compose = () => openApiDocument(environment)
  return {
    '/openapi.json': { GET: answerDocument(compose) },
    '/openapi.fr.json': { GET: answerDocument(() => toFrenchDocument(compose())) },
  }
}

// Its patterns name invisible characters, which editors and YAML parsers change or reject.
const invisible = /(?! )[\p{C}\p{M}\p{Z}\p{DI}\u2800]/gu

function escapeInJson(text: string): string {
  return text.replace(/[^]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function answerDocument(compose: () => OpenApiDocument): Handle {
  let body: string | undefined
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
  }
  return (_, response) => {
    body ??= JSON.stringify(compose()).replace(invisible, escapeInJson)
    sendBytes(response, { status: 200, headers, body })
  }
}
